# snippet:doc https://nim-lang.org/docs/unicode.html std/unicode
# snippet:prints Lisbon |################     1200
# snippet:prints Málaga |#################### 1500
# snippet:prints Rome   |                     0
import std/[sequtils, unicode] # whose align counts characters, not bytes
from std/strutils import repeat

proc barChart(rows: openArray[(string, Natural)], width: Positive = 20): string =
  ## One line for each row; the largest value fills the width.
  if rows.len == 0: return
  let
    names = rows.mapIt(it[0].runeLen).max
    largest = max(1, rows.mapIt(it[1]).max) # all zero: no bars, and no division by zero
  for (name, value) in rows:
    let bar = '#'.repeat(int(value / largest * width.float + 0.5))
    result.add name.alignLeft(names) & " |" & bar.alignLeft(width) & " " & $value & "\n"

stdout.write barChart({"Lisbon": 1200.Natural, "Málaga": 1500.Natural, "Rome": 0.Natural})
