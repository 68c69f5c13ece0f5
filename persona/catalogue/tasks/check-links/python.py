# snippet:check
# snippet:doc https://docs.python.org/3/library/pathlib.html pathlib
# snippet:prints docs/a_(b).md:2: gone.md does not exist
# snippet:prints docs/guide.md:2: setup.md does not exist
# snippet:prints docs/guide.md:15: ../p.png does not exist
# snippet:end
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"\]\((?:<([^>#]+)|((?:\([^()\s]*\)|[^()\s<#])+))")  # the target up to an anchor
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|/", re.IGNORECASE)


def broken_links(root: Path) -> Iterator[str]:
    """The relative links of all Markdown files below root whose target does not exist."""
    for file in sorted(root.rglob("*.md")):
        fence = ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            mark = re.match(r"\s*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)", line)
            if mark and (not fence or mark[1].startswith(fence) and not mark[2]):  # what opened a fence closes it
                fence = "" if fence else mark[1]
            if fence:
                continue
            for bracketed, plain in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                target = bracketed or plain
                if not ADDRESS.match(target) and not os.path.exists(file.parent / unquote(target)):
                    yield f"{file.relative_to(root)}:{number}: {target} does not exist"
# snippet:check


root = Path("site")
(root / "docs").mkdir(parents=True)
(root / "my notes.md").write_text("")
(root / "docs/a_(b).md").write_text("```not a fence```\n[gone](gone.md)\n")
(root / "docs/100%.md").write_text("")
(root / "docs/guide.md").write_text("[notes](../my%20notes.md#a)\n[setup](setup.md)\n```\n[no](x.md)\n```\n[w](https://example.com/a) `[a](b)`\n[n](<../my notes.md>) [up](#top) [p](a_(b).md) [q](100%.md)\n````\n```\n~~~\n[no](x.md)\n````sh\n[no](x.md)\n````\n[![p](../p.png)](guide.md)\n")
print("\n".join(broken_links(root)))
