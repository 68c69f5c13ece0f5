# snippet:usage
# snippet:doc https://nim-lang.org/docs/algorithm.html std/algorithm
# snippet:prints p50 50.0 ms
# snippet:prints p95 95.0 ms
# snippet:prints p99 99.0 ms
# snippet:prints no values
# snippet:end
import std/[algorithm, math]

func percentile(values: openArray[float], p: range[0.0 .. 100.0]): float =
  ## The smallest measured value that at least p percent of all values do not exceed.
  if values.len == 0:
    raise newException(ValueError, "no values")
  let
    ordered = values.sorted
    rank = ceil(p * ordered.len.float / 100 - 1e-7).int # 99.9 * 41000 / 100 is above 40959
  ordered[max(rank, 1) - 1]

proc report(milliseconds: openArray[float]) =
  for p in [50.0, 95.0, 99.0]:
    echo "p", p.int, " ", milliseconds.percentile(p), " ms"
# snippet:usage
var ms: seq[float]
for i in countdown(100, 1): ms.add i.float
report(ms)
doAssert ms.percentile(55.0) == 55.0
var many: seq[float]
for i in 1..41000: many.add i.float
doAssert many.percentile(99.9) == 40959.0
try: report([])
except ValueError as problem: echo problem.msg
