#!/usr/bin/env bash
# snippet:description Commands that use a network fail now and then. Try again a few times, after 1, 2, 4 … seconds and up to a
# snippet:description second at random, so that machines do not all come back at once. When the last attempt fails, its status is
# snippet:description that of the function.
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html#index-SRANDOM SRANDOM
# snippet:needs Bash 5.1
# retry <attempts> <command> [argument…]: run until it succeeds, waiting 1, 2, 4 … seconds.
# What a failed attempt has printed stays in the output, and what it has read is gone.
# In a function, set -e has no effect here.
retry() {
  local -r attempts=$1
  shift
  local attempt delay status
  for ((attempt = 1; ; attempt++)); do
    "$@" && return
    status=$?
    if ((attempt >= attempts)); then
      echo "giving up on \"$1\" after attempt $attempt" >&2
      return "$status"
    fi
    # Up to a second at random, so that a fleet does not retry in step.
    printf -v delay '%d.%03d' $((2 ** (attempt - 1))) $((SRANDOM % 1000))
    echo "attempt $attempt failed with status $status, next in ${delay}s" >&2
    sleep "$delay"
  done
}
# snippet:usage
# snippet:prints succeeded at call 3
sleep() { :; }
count=0
flaky() { ((++count == 3)); }
retry 5 flaky 2>/dev/null && echo "succeeded at call $count"
# snippet:check
# snippet:prints giving up on "false" after attempt 2
retry 2 false 2>&1 | tail -n 1
