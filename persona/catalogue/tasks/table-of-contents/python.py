# snippet:check
# snippet:doc https://docs.python.org/3/library/re.html re
# snippet:prints - [Install](#install)
# snippet:prints   - [On macOS & Linux](#on-macos--linux)
# snippet:prints - [Install](#install-1)
# snippet:prints - [C#](#c)
# snippet:prints - [Install-1](#install-1-1)
# snippet:prints - [हिन्दी](#हिन्दी)
# snippet:end
import re
import unicodedata
from collections.abc import Iterator


def headings(markdown: str) -> Iterator[tuple[int, str]]:
    """Level and text of each heading from level 2 on, without what stands in code fences."""
    fence = ""
    for line in markdown.splitlines():
        if mark := re.match(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)", line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif not fence and (heading := re.match(r" {0,3}(#{2,6})\s+(.+?)(?:\s+#+)?\s*$", line)):  # "## C#" keeps its #
            yield len(heading[1]), heading[2]


def in_anchor(char: str) -> bool:
    """A letter, mark, digit, underscore, hyphen or space; \\w has no marks, which many scripts need."""
    return char in "- " or unicodedata.category(char) in {"Nd", "Pc"} or unicodedata.category(char)[0] in "LM"


def table_of_contents(markdown: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    for level, text in headings(markdown):
        slug = "".join(filter(in_anchor, text.lower())).replace(" ", "-")
        anchor = slug
        while anchor in seen:  # the second "Install" is #install-1
            seen[slug] += 1
            anchor = f"{slug}-{seen[slug]}"
        seen[anchor] = 0
        yield f"{'  ' * (level - 2)}- [{text}](#{anchor})"
# snippet:check


print("\n".join(table_of_contents("# T\n## Install\n```sh\n## no heading\n```text\n## none either\n```\n### On macOS & Linux\n## Install ##\n## C#\n## Install-1\n```no fence```\n## हिन्दी\n")))
assert list(table_of_contents("## A\n ## B")) == ["- [A](#a)", "- [B](#b)"]
