# snippet:doc https://docs.python.org/3/library/shutil.html#shutil.get_terminal_size shutil.get_terminal_size
# snippet:needs Python 3.10
import shutil

EIGHTHS = " ▏▎▍▌▋▊▉"


def bar_chart(values: dict[str, float], width: int | None = None) -> str:
    """Bars to an eighth of a character; `width` is that of the terminal unless told otherwise."""
    if not values:
        return ""
    label_width = max(map(len, values))  # in characters: those of East Asia take two columns
    numbers = [f"{value:,}" for value in values.values()]
    columns = width or shutil.get_terminal_size().columns
    room = max(1, columns - label_width - max(map(len, numbers)) - 3)
    peak = max(0, *values.values()) or 1
    lines = []
    for (label, value), number in zip(values.items(), numbers, strict=True):
        full, part = divmod(round(max(0, value) / peak * room * 8), 8)
        bar = "█" * full + EIGHTHS[part].strip()
        lines.append(f"{label:>{label_width}} │{bar} {number}")
    return "\n".join(lines)


print(bar_chart({"Mon": 120, "Tue": 310, "Wed": 275, "Thu": 60, "Fri": 402}, width=48))
# snippet:usage
# snippet:prints Mon │███████████▋ 120
# snippet:prints Tue │██████████████████████████████▏ 310
# snippet:prints Wed │██████████████████████████▋ 275
# snippet:prints Thu │█████▉ 60
# snippet:prints Fri │███████████████████████████████████████ 402
# snippet:check
# snippet:prints a │ -1
# snippet:prints b │█████████ 0.5
print(bar_chart({"a": -1, "b": 0.5}, width=16) + bar_chart({}))
assert max(map(len, bar_chart({"a": 1 / 3, "b": 2 / 3}, width=40).split("\n"))) == 40
