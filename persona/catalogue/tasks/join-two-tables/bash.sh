#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/join-invocation.html join
# snippet:needs join, which BusyBox lacks
set -euo pipefail

hosts=$'web1\t10.0.0.11\ndb1\t10.0.0.21\nold9\t10.0.0.99'
owners=$'db1\tStorage team\nweb1\tShop team\nmail1\tOffice team'

# Full outer join on the first column: "-" marks what one of the lists does not know.
# LC_ALL=C: join and sort must agree on the order.
LC_ALL=C join -t $'\t' -a 1 -a 2 -e - -o 0,1.2,2.2 \
  <(LC_ALL=C sort <<< "$hosts") \
  <(LC_ALL=C sort <<< "$owners") |
  awk -F '\t' '{ printf "%-6s %-10s %s\n", $1, $2, $3 }'
# snippet:prints db1    10.0.0.21  Storage team
# snippet:prints mail1  -          Office team
# snippet:prints old9   10.0.0.99  -
# snippet:prints web1   10.0.0.11  Shop team
