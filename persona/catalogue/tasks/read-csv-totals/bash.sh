#!/usr/bin/env bash
# snippet:doc https://www.sqlite.org/cli.html#importing_files_as_csv_or_other_formats Importing CSV into SQLite
set -euo pipefail

# totals <file.csv>: revenue by region. Quoted commas would break cut and awk; SQLite reads them.
# An amount counts as the number that it begins with, or as zero: "1,200" is 1.
totals() {
  sqlite3 :memory: \
    '.mode csv' \
    '.import /dev/stdin sales' \
    '.mode box' \
    'SELECT region,
            count(*) AS orders,
            printf("%.2f", sum(amount)) AS revenue
     FROM sales
     GROUP BY region
     ORDER BY sum(amount) DESC' < "$1"
}
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
printf '%s\n' region,customer,amount 'North,"Tea, Milk & Co",1200.5' South,Bo,80 North,Cy,99.5 > s.csv
totals s.csv
# snippet:prints ┌────────┬────────┬─────────┐
# snippet:prints │ region │ orders │ revenue │
# snippet:prints ├────────┼────────┼─────────┤
# snippet:prints │ North  │ 2      │ 1300.00 │
# snippet:prints │ South  │ 1      │ 80.00   │
# snippet:prints └────────┴────────┴─────────┘
