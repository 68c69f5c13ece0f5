# snippet:doc https://docs.python.org/3/library/csv.html#csv.DictReader csv.DictReader
import csv
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal


def revenue_by_region(lines: Iterable[str]) -> dict[str, Decimal]:
    """Sum the amount column per region, largest first; the file is never held in memory."""
    totals: defaultdict[str, Decimal] = defaultdict(Decimal)
    rows = csv.DictReader(lines, strict=True)  # else a quote left open takes in the rows after it
    if not {"region", "amount"} <= set(rows.fieldnames or ()):
        raise ValueError(f"needs the columns region and amount, has {rows.fieldnames}")
    for row in rows:
        totals[row["region"].strip() or "unknown"] += Decimal(row["amount"])
    return dict(sorted(totals.items(), key=lambda item: item[1], reverse=True))


def report(path: str) -> None:
    # newline="" lets the csv module handle line breaks inside quoted fields.
    with open(path, newline="", encoding="utf-8-sig") as file:
        for region, total in revenue_by_region(file).items():
            print(f"{region:<10} {total:>12,.2f}")
# snippet:usage
# snippet:prints North          1,300.00
# snippet:prints South             80.00
# snippet:prints unknown            3.50


with open("sales.csv", "w", encoding="utf-8") as sample:
    sample.write('region,amount\nNorth,1200.10\nSouth,80\n,3.5\n"North",99.90\n')
report("sales.csv")
# snippet:check
# snippet:prints needs the columns region and amount, has None
# snippet:prints unexpected end of data
for lines in ([], ["region,amount,note\n", 'North,5,"open\n', "South,80,\n"]):
    try:
        revenue_by_region(lines)
    except (ValueError, csv.Error) as problem:
        print(problem)
