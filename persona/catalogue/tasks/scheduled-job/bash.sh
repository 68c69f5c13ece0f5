#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Redirections.html Redirections
# snippet:needs flock of util-linux, GNU stat
# snippet:into Save it as a script, and do what its last lines say.
# snippet:check
# shellcheck disable=SC2094
# snippet:end
set -euo pipefail

# only_once <lock file> <command> [argument…]: a run that takes long is not overtaken by the next.
only_once() {
  local -r lock=$1
  shift
  (
    # The job and what it starts have the lock, too: the kernel lets go of it when the last of them has
    # ended, however it ended.
    if ! flock --nonblock 9; then
      echo "$(date -u +%FT%TZ) still running since $(stat --format=%y -- "$lock"), skipped" >&2
      exit 75 # EX_TEMPFAIL: try again later
    fi
    touch -- "$lock"
    "$@"
  ) 9>> "$lock"
}

# In a crontab, with only_once "$@" as the last line of this script. Whole paths: cron looks only in /usr/bin and /bin.
# 17 * * * * /usr/local/bin/only-once /run/lock/report.lock /usr/local/bin/report
# snippet:check
lock=$(mktemp)
trap 'rm -f "$lock"' EXIT
only_once "$lock" sleep 0.4 &
sleep 0.1
only_once "$lock" echo "second" 2> /dev/null || echo "status $?"
wait
only_once "$lock" echo "third"
# snippet:prints status 75
# snippet:prints third
