#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/timeout-invocation.html timeout
# snippet:needs GNU coreutils
# within <duration> <command> [argument…]: politely TERM at the deadline, KILL 5 seconds later if it still runs.
# The command is a program, not a function. A duration of 0 is no limit.
# A command that itself ends with 124 looks like one that was stopped.
# In a script, Ctrl-C does not reach the command: timeout runs it in a process group of its own.
within() {
  local -r limit=$1
  local status=0
  shift
  timeout --kill-after=5s "$limit" "$@" || status=$?
  case $status in
    124) echo "\"$1\" was stopped after $limit" >&2 ;;
    137) echo "\"$1\" was killed: it did not end at TERM, or somebody else killed it" >&2 ;;
  esac
  return "$status"
}

within 2s date --utc --date=@0 +%F
# snippet:usage
# snippet:prints 1970-01-01
# snippet:check
# snippet:prints "sleep" was stopped after 0.1s
# snippet:prints status 124
(set -e; within 0.1s sleep 5) 2>&1 || echo "status $?"
