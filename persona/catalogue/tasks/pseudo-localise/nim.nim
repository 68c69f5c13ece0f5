# snippet:usage
# snippet:doc https://nim-lang.org/docs/unicode.html std/unicode
# snippet:prints [Ĥéļļö {name}, ýöü ĥåṽé %d ñéŵš ~~~~~~~~~~]
# snippet:end
import std/[parseutils, strutils, unicode]

const
  plain = "aceghilnorsuvwyACEGHILNORSUVWY"
  accented = "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ".toRunes
  inside = {'-', '+', '#', '*', '$', '.', '0' .. '9', 'h', 'j', 'l', 'L', 't', 'z'} # as in %-5.1f and %lu

proc pseudo(message: string): string =
  ## Accents on letters, a third more length and brackets round it; {placeholders}, $placeholders and those of C,
  ## such as %d, stay.
  ## Braces within braces, as in the plurals of ICU, are not understood.
  var i = 0
  while i < message.len:
    if message[i] == '{' and message.find('}', i) > 0:
      let last = message.find('}', i)
      result.add message[i .. last]
      i = last
    elif message[i] == '%' and (let last = i + 1 + message.skipWhile(inside, i + 1);
        last < message.len and message[last] in Letters + {'%'}): # not in "50% off"
      result.add message[i .. last]
      i = last
    elif message[i] == '$' and (let last = i + message.skipWhile(IdentChars, i + 1); last > i):
      result.add message[i .. last]
      i = last
    elif (let at = plain.find(message[i]); at >= 0):
      result.add $accented[at]
    else:
      result.add message[i]
    inc i
  result = "[" & result & " " & "~".repeat((message.runeLen + 2) div 3) & "]"
# snippet:usage
echo pseudo("Hello {name}, you have %d news")
# snippet:check
doAssert pseudo("$name has $1, ${unit} $") == "[$name ĥåš $1, ${unit} $ ~~~~~~~~]"
doAssert pseudo("5% on") == "[5% öñ ~~]"
doAssert pseudo("(5%) {name}, 5%{name}") == "[(5%) {name}, 5%{name} ~~~~~~~]"
doAssert pseudo("100%") == "[100% ~~]" and pseudo("100% %%") == "[100% %% ~~~]"
doAssert pseudo("%-5s %lu %Lg") == "[%-5s %lu %Lg ~~~~]"
