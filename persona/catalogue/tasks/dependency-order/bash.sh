#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/tsort-invocation.html tsort
set -euo pipefail

# "service: what it needs" lines; tsort wants pairs of "earlier later".
start_order() {
  local words service need
  while IFS=': ' read -ra words || ((${#words[@]})); do
    service=${words[0]-}
    echo "$service $service" # also those that need nothing
    for need in "${words[@]:1}"; do
      [[ $need != "$service" ]] || exit 1 # to tsort, such a pair is no circle
      echo "$need $service"
    done
  done | tsort || {
    echo "the services need each other in a circle" >&2
    return 1
  }
}

start_order << 'SERVICES'
web: api
api: database cache
database:
cache: network
network:
SERVICES
# snippet:check
printf '%s\n' 'a: b' 'b: a' | start_order > /dev/null 2>&1 || echo "status $?"
# snippet:prints database
# snippet:prints network
# snippet:prints cache
# snippet:prints api
# snippet:prints web
echo 'a: a' | start_order > /dev/null 2>&1 || echo "status $?"
printf 'b: a\na:' | start_order
# snippet:prints status 1
# snippet:prints status 1
# snippet:prints a
# snippet:prints b
