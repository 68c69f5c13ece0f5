#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/sort-invocation.html sort
export LC_ALL=C

# Points downwards, then the name regardless of case; --stable keeps equal rows as they came.
ranking() {
  sort --field-separator=, --stable --key=3,3nr --key=1,1f
}

# Versions sort by their numbers: 1.10 after 1.9. For releases: 1.10-rc1 would come after 1.10.
newest_version() {
  sort --version-sort --reverse | head --lines=1
}

ranking << 'PLAYERS'
Zoe,red,40
adam,blue,55
Bea,red,55
Cy,blue,40
PLAYERS
printf '%s\n' v1.9.3 v1.10.0 v1.2.11 | newest_version
# snippet:prints adam,blue,55
# snippet:prints Bea,red,55
# snippet:prints Cy,blue,40
# snippet:prints Zoe,red,40
# snippet:prints v1.10.0
