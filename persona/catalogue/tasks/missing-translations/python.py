# snippet:check
# snippet:doc https://docs.python.org/3/library/string.html#string.Formatter.parse string.Formatter.parse
# snippet:prints empty: missing
# snippet:prints greeting: has {user} instead of {name}
# snippet:prints old: not used any more
# snippet:prints save: missing
# snippet:prints bye: expected '}' before end of string
# snippet:end
from collections.abc import Iterator
from string import Formatter


def placeholders(text: str) -> set[str]:
    """The names in braces; how often each occurs, formats, and how many {} have no name, are not compared."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def show(names: set[str]) -> str:
    return ", ".join("{%s}" % name for name in sorted(names)) or "no placeholder"


def problems(source: dict[str, str], translation: dict[str, str]) -> Iterator[str]:
    """What is wrong with a translation, by key. A wrong placeholder is worst: it shows only when the program runs."""
    for key in sorted(source.keys() | translation.keys()):
        text = translation.get(key, "")
        if key not in source:
            yield f"{key}: not used any more"
        elif source[key] and not text:  # left empty is missing, too
            yield f"{key}: missing"
        else:
            try:
                wanted, found = placeholders(source[key]), placeholders(text)
            except ValueError as problem:  # a brace without the other one
                yield f"{key}: {problem}"
                continue
            if wanted != found:
                yield f"{key}: has {show(found)} instead of {show(wanted)}"
# snippet:check


english = {"greeting": "Hello {name}", "empty": "Empty", "save": "Save", "suffix": "", "full": "Full of {{braces}}"}
print("\n".join(problems(english, {"greeting": "Hallo {user}", "full": "Voll", "old": "Alt", "save": ""})))
print(*problems({"bye": "Bye {name}"}, {"bye": "Ade {name"}))
