# snippet:check
# snippet:doc https://nim-lang.org/docs/unicode.html std/unicode
# snippet:prints [Ĥéļļö {name}, ýöü ĥåṽé %d ñéŵš ~~~~~~~~~~]
# snippet:end
import std/[strutils, unicode]

const
  plain = "aceghilnorsuvwyACEGHILNORSUVWY"
  accented = "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ".toRunes
  ends = Letters + {'%'} - {'h', 'j', 'l', 'L', 't', 'z'} # %-5.1f and %lu end at such a letter

proc pseudo(message: string): string =
  ## Accents on letters, a third more length and brackets round it; {placeholders} and those of C, such as %d, stay.
  ## Braces within braces, as in the plurals of ICU, are not understood.
  var i = 0
  while i < message.len:
    if message[i] == '{' and message.find('}', i) > 0:
      let last = message.find('}', i)
      result.add message[i .. last]
      i = last
    elif message[i] == '%' and i + 1 < message.len and message[i + 1] != ' ': # not in "50% off"
      let last = message.find(ends, i + 1)
      result.add message[i .. (if last < 0: message.high else: last)]
      i = if last < 0: message.high else: last
    elif (let at = plain.find(message[i]); at >= 0):
      result.add $accented[at]
    else:
      result.add message[i]
    inc i
  result = "[" & result & " " & "~".repeat(message.runeLen div 3) & "]"
# snippet:check
echo pseudo("Hello {name}, you have %d news")
doAssert pseudo("5% on") == "[5% öñ ~]"
doAssert pseudo("%-5s %lu %Lg") == "[%-5s %lu %Lg ~~~~]"
