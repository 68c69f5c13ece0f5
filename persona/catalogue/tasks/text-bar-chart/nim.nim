# snippet:doc https://nim-lang.org/docs/strutils.html std/strutils
# snippet:prints Lisbon |################     12
# snippet:prints Oslo   |#################### 15
# snippet:prints Rome   |                      0
import std/[sequtils, strutils]

proc barChart(rows: openArray[(string, Natural)], width: Positive = 20): string =
  ## One line for each row; the largest value fills the width.
  if rows.len == 0: return
  let
    names = rows.mapIt(it[0].len).max
    largest = max(1, rows.mapIt(it[1]).max) # all zero: no bars, and no division by zero
  for (name, value) in rows:
    let bar = '#'.repeat(int(value * width / largest + 0.5))
    result.add name.alignLeft(names) & " |" & bar.alignLeft(width) & align($value, 3) & "\n"

stdout.write barChart({"Lisbon": 12.Natural, "Oslo": 15.Natural, "Rome": 0.Natural})
