# snippet:doc https://docs.python.org/3/library/string.html#format-specification-mini-language Format specification
# snippet:needs Python 3.10
from collections.abc import Sequence
from numbers import Number


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Aligned so that the source is readable too; columns of numbers stand to the right, floats have one decimal."""

    def text(value: object) -> str:
        shown = f"{value:,.1f}" if isinstance(value, float) else str(value)
        return " ".join(shown.replace("|", "\\|").splitlines())

    cells = [[text(value) for value in row] for row in (header, *rows)]
    # Characters are counted: those of East Asia take two columns in a terminal.
    widths = [max(3, *(len(row[i]) for row in cells)) for i in range(len(header))]
    right = [all(isinstance(row[i], Number) for row in rows) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        padded = (v.rjust(w) if r else v.ljust(w) for v, w, r in zip(row, widths, right, strict=True))
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (w - 1) + ":" if r else "-" * w for w, r in zip(widths, right)]
    return "\n".join([line(cells[0]), line(rule), *map(line, cells[1:])])


print(markdown_table(("team", "tickets", "days"), [("Search", 12, 3.25), ("A|B", 7, 1204.0)]))
# snippet:usage
# snippet:prints | team   | tickets |    days |
# snippet:prints | ------ | ------: | ------: |
# snippet:prints | Search |      12 |     3.2 |
# snippet:prints | A\|B   |       7 | 1,204.0 |
# snippet:check
from decimal import Decimal

assert markdown_table(["sum"], [[Decimal("1.5")]]).splitlines()[1] == "| --: |"
