# snippet:usage
# snippet:doc https://nim-lang.org/docs/tables.html std/tables
# snippet:prints Bath: 1 sale, 900
# snippet:prints Rome: 2 sales, 600
# snippet:end
import std/[algorithm, strformat, tables]

type
  Sale = tuple[city: string, cents: int]
  Total = tuple[count, cents: int]

func totals(sales: openArray[Sale]): seq[(string, Total)] =
  ## Count and sum per city, the largest sum first.
  var byCity: OrderedTable[string, Total]
  for (city, cents) in sales:
    byCity.mgetOrPut(city, (0, 0)).count += 1
    byCity[city].cents += cents
  for city, total in byCity:
    result.add (city, total)
  result.sort do (a, b: (string, Total)) -> int: cmp(b[1].cents, a[1].cents)

proc report(sales: openArray[Sale]) =
  for (city, total) in totals(sales):
    let s = if total.count == 1: "" else: "s"
    echo &"{city}: {total.count} sale{s}, {total.cents}"
# snippet:usage
report([("Rome", 200), ("Bath", 900), ("Rome", 400)])
