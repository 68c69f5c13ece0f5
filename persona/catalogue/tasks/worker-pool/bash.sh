#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Job-Control-Builtins.html wait
# snippet:needs Bash 5.1
set -uo pipefail

# Run one job per argument, at most $JOBS at once (4, and never less than 1); report which of them failed.
run_all() {
  local -r job=$1
  shift
  local -A name_of=()
  local -a failed=()
  local -r most=$((${JOBS:-4} > 0 ? ${JOBS:-4} : 1))
  local item pid

  for item in "$@"; do
    while ((${#name_of[@]} >= most)); do
      wait -n "${!name_of[@]}" 2> /dev/null # in $(…), Bash before 5.3 may have forgotten those that ended
      for pid in "${!name_of[@]}"; do
        kill -0 "$pid" 2> /dev/null && continue # it still runs
        wait "$pid" || failed+=("${name_of[$pid]}")
        unset "name_of[$pid]"
      done
    done
    "$job" "$item" &
    name_of[$!]=$item
  done
  for pid in "${!name_of[@]}"; do
    wait "$pid" || failed+=("${name_of[$pid]}")
  done
  ((${#failed[@]} == 0)) && return
  printf 'failed: %s\n' "${failed[@]}" >&2
  return 1
}
# snippet:usage
job() { [[ $1 != bad* ]]; }
JOBS=2 run_all job one bad-two three bad-four five 2>&1 | sort
JOBS=0 run_all job one && echo "all done"
# snippet:prints failed: bad-four
# snippet:prints failed: bad-two
# snippet:prints all done
