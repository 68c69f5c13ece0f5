#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/timeout-invocation.html timeout
# within <duration> <command> [argument…]: politely TERM at the deadline, KILL 5 seconds later.
within() {
  local -r limit=$1
  local status=0
  shift
  timeout --kill-after=5s "$limit" "$@" || status=$?
  case $status in
    124) echo "\"$1\" was stopped after $limit" >&2 ;;
    137) echo "\"$1\" was killed: it ignored TERM, or somebody else killed it" >&2 ;;
    126 | 127) echo "\"$1\" could not be started" >&2 ;;
  esac
  return "$status"
}

within 2s date --utc --date=@0 +%F
# snippet:check
(set -e; within 0.1s sleep 5) 2>&1 || echo "status $?"
within 1s no-such-command 2>&1 | tail -n 1
# snippet:prints 1970-01-01
# snippet:prints "sleep" was stopped after 0.1s
# snippet:prints status 124
# snippet:prints "no-such-command" could not be started
