# snippet:usage
# snippet:doc https://nim-lang.org/docs/unicode.html std/unicode
# snippet:prints | Service  | Errors |
# snippet:prints | :------- | -----: |
# snippet:prints | a\|b c   |      2 |
# snippet:prints | checkout |     10 |
# snippet:prints | café     |     -1 |
# snippet:end
import std/[sequtils, unicode] # whose align counts characters, not bytes
from std/strutils import join, multiReplace, parseFloat, repeat

proc isNumber(text: string): bool =
  try: (discard parseFloat(text); true) except ValueError: false

proc markdownTable(header: openArray[string], rows: openArray[seq[string]]): string =
  ## A table with text to the left and numbers to the right, aligned in the source too. Rows are as long as the header.
  const escapes = [("|", "\\|"), ("\r\n", " "), ("\n", " "), ("\r", " ")]
  let cells = (@[@header] & @rows).mapIt(it.mapIt(it.multiReplace(escapes)))
  var widths: seq[int]
  var numeric: seq[bool]
  for column in 0 ..< header.len:
    widths.add max(3, cells.mapIt(it[column].runeLen).max)
    numeric.add rows.allIt(it[column].isNumber)
  for i, row in cells:
    var line: seq[string]
    for column, cell in row:
      line.add(if numeric[column]: cell.align(widths[column]) else: cell.alignLeft(widths[column]))
    result.add "| " & line.join(" | ") & " |\n"
    if i == 0:
      for column, width in widths:
        let dashes = '-'.repeat(width - 1)
        result.add(if numeric[column]: "| " & dashes & ": " else: "| :" & dashes & " ")
      result.add "|\n"
# snippet:usage
stdout.write markdownTable(["Service", "Errors"], [@["a|b\r\nc", "2"], @["checkout", "10"], @["café", "-1"]])
