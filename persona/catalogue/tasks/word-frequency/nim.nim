# snippet:description Split a text into words, ignore case and ASCII's punctuation around them, and count how often each word occurs.
# snippet:description The most frequent words come first.
# snippet:doc https://nim-lang.org/docs/tables.html#CountTable CountTable
# snippet:prints the 3
# snippet:prints fox 2
import std/[algorithm, strutils, tables]
from std/unicode import toLower

const between = {'\0' .. '/', ':' .. '@', '[' .. '`', '{' .. '\x7f'} - {'\''} # ASCII but letters, digits, apostrophes

proc mostFrequent(text: string, n: int): seq[(string, int)] =
  ## The most frequent words in any case, ties sorted by word.
  var counts: CountTable[string]
  for word in text.toLower.split(between):
    let bare = word.strip(chars = {'\''})
    if bare != "":
      counts.inc bare
  for word, count in counts:
    result.add (word, count)
  result.sort do (a, b: (string, int)) -> int:
    result = cmp(b[1], a[1]) # the largest count first
    if result == 0: result = cmp(a[0], b[0])
  result.setLen min(n, result.len)

for (word, count) in mostFrequent("The fox,the 'dog'; the FOX!", 2):
  echo word, " ", count
