# snippet:usage
# snippet:doc https://docs.python.org/3/library/stdtypes.html#str.translate str.translate
# snippet:end
import math
import re

ACCENTS = str.maketrans("aceghilnorsuvwyACEGHILNORSUVWY", "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ")
# placeholders in braces, after $ and of printf (not "% d", or "50% off" would hold one), tags and entities
PROTECTED = re.compile(
    r"(\{[^{}]*\}|\$\w+|%(?:\([^()]*\))?[-+0#*\d.$]*(?:hh|ll|[hlzjt])?[a-z%]|</?\w[^<>]*>|&#?\w+;)", re.I
)


def pseudo_localise(message: str) -> str:
    """Accents on letters, a third more length and brackets round it, with placeholders as they were.

    Braces within braces, as in the plurals of ICU, are not understood.
    """
    # With a group in the pattern, split keeps what it splits at: every second part is protected.
    parts = PROTECTED.split(message)
    visible = "".join(parts[::2])
    parts[::2] = [text.translate(ACCENTS) for text in parts[::2]]
    return f"[{''.join(parts)} {'~' * math.ceil(len(visible) / 3)}]"
# snippet:usage
# snippet:prints [Ĥéļļö {name}, ýöü ĥåṽé <b>{count:d}</b> ñéŵš ~~~~~~~~]
# snippet:check


assert pseudo_localise("%s %(sum)d %.2f %-5i %x 100%% on") == "[%s %(sum)d %.2f %-5i %x 100%% öñ ~~~~]"
assert pseudo_localise("%1$s %lu %lld &#xe9;") == "[%1$s %lu %lld &#xe9; ~]"
assert pseudo_localise("$name has ${count}, or $$") == "[$name ĥåš ${count}, öř $$ ~~~~~]"
assert pseudo_localise("50% off, and 5 % on") == "[50% öff, åñd 5 % öñ ~~~~~~~]"
assert pseudo_localise("a < b and c > d") == "[å < b åñd ç > d ~~~~~]"
# snippet:usage
print(pseudo_localise("Hello {name}, you have <b>{count:d}</b> news"))
