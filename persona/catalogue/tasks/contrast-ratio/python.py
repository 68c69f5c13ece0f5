# snippet:usage
# snippet:doc https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio WCAG 2.2: contrast ratio
# snippet:prints #777777 on #ffffff: 4.478089453577214 is below 4.5
# snippet:prints 21.0
# snippet:end
from collections.abc import Iterable, Iterator


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as "#767676", as WCAG defines it."""
    channels = [byte / 255 for byte in bytes.fromhex(colour.removeprefix("#"))]
    if len(channels) != 3:
        raise ValueError(f"{colour}: six hexadecimal digits after a #")
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def failures(pairs: Iterable[tuple[str, str]], least: float = 4.5) -> Iterator[str]:
    """For a test of the design's tokens: each pair of text and background with too little contrast."""
    for text, background in pairs:
        ratio = contrast(text, background)
        if ratio < least:  # not rounded: 4.499 is not enough
            yield f"{text} on {background}: {ratio} is below {least}"
# snippet:usage


print("\n".join(failures([("#777777", "#ffffff"), ("#767676", "#ffffff"), ("#000000", "#ffffff")])))
print(round(contrast("#000000", "#ffffff"), 2))
