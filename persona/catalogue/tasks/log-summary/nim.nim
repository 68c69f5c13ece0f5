# snippet:check
# snippet:description Count the errors of each hour in a log, so that it can be seen when they began. Lines of another form are
# snippet:description counted, too, because ignoring them would hide surprises.
# snippet:doc https://nim-lang.org/docs/strscans.html std/strscans
# snippet:prints 2026-03-01T09: 1
# snippet:prints 2026-03-01T10: 2
# snippet:prints 4 not understood
# snippet:end
import std/[sequtils, strscans, strutils, tables]

type Summary = object
  errors: OrderedTable[string, int] # by hour, in the order of the log
  notUnderstood: int

func beginsWithTime(time: string): bool =
  time.len >= 19 and time[0 .. 18].mapIt(if it in Digits: '0' else: it).join == "0000-00-00T00:00:00"

proc summarise(lines: openArray[string]): Summary =
  ## Counts lines such as "2026-03-01T10:15:00Z ERROR disk full" by hour.
  for line in lines:
    let (fits, time, severity, _) = line.scanTuple("$+ $w $*")
    if not fits or not time.beginsWithTime:
      inc result.notUnderstood # ignoring them would hide surprises
    elif severity == "ERROR":
      result.errors.mgetOrPut(time[0 .. 12], 0).inc

proc print(summary: Summary) =
  for hour, count in summary.errors:
    echo hour, ": ", count
  if summary.notUnderstood > 0:
    echo summary.notUnderstood, " not understood"
# snippet:check
print summarise(["2026-03-01T09:59:00Z ERROR disk full", "2026-03-01T10:01:00Z INFO ok again", "2026-03-01T10:02:00Z ERROR a",
  "Traceback", "ConnectionTimeout ERROR x", "yyyy-mm-ddThh:mm ERROR x", "2026-03-01T10:zz ERROR no time", "2026-03-01T10:03:00Z ERROR b"])
