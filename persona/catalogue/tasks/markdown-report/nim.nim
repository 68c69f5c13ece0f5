# snippet:check
# snippet:doc https://nim-lang.org/docs/unicode.html std/unicode
# snippet:prints | Service  | Errors |
# snippet:prints | :------- | -----: |
# snippet:prints | a\|b c   |      2 |
# snippet:prints | checkout |     10 |
# snippet:prints | café     |     -1 |
# snippet:end
import std/[sequtils, unicode] # whose align counts characters, not bytes
from std/strutils import Digits, join, multiReplace, repeat

proc markdownTable(header: openArray[string], rows: openArray[seq[string]]): string =
  ## A table with text to the left and numbers to the right, aligned in the source too.
  const escapes = [("|", "\\|"), ("\r\n", " "), ("\n", " "), ("\r", " ")]
  let cells = (@[@header] & @rows).mapIt(it.mapIt(it.multiReplace(escapes)))
  var widths, numeric: seq[int]
  for column in 0 ..< header.len:
    widths.add max(3, cells.mapIt(it[column].runeLen).max)
    numeric.add int(rows.allIt(it[column].allIt(it in Digits + {'.', '-'})))
  for i, row in cells:
    var line: seq[string]
    for column, cell in row:
      line.add(if numeric[column] == 1: cell.align(widths[column]) else: cell.alignLeft(widths[column]))
    result.add "| " & line.join(" | ") & " |\n"
    if i == 0:
      for column, width in widths:
        let dashes = '-'.repeat(width - 1)
        result.add(if numeric[column] == 1: "| " & dashes & ": " else: "| :" & dashes & " ")
      result.add "|\n"
# snippet:check
stdout.write markdownTable(["Service", "Errors"], [@["a|b\r\nc", "2"], @["checkout", "10"], @["café", "-1"]])
