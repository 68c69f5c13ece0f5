#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/df-invocation.html df
# snippet:needs GNU coreutils
# snippet:title Tell a monitor that a disk is nearly full
# snippet:description Report each local file system, other than tmpfs and squashfs, that is short of space or of inodes, by its
# snippet:description name and its share. The exit status tells a monitor that something was found.
# snippet:why A disk that fills up is noticed before it is full.
set -euo pipefail

# check_disks <percent>: file systems that are short of space or of inodes; the status tells a monitor: 2, or 3 if
# they could not all be checked and none of the rest is short. Not tmpfs, and not squashfs, which is always full.
check_disks() {
  local -r limit=$1
  local full=0 rows target used inodes
  if ! [[ $limit =~ ^[[:digit:]]{1,3}$ ]] || ((10#$limit > 100)); then # 08 is eight
    echo "UNKNOWN: the limit \"$limit\" is no whole number from 0 to 100"
    return 3
  fi
  rows=$(df --local --exclude-type=tmpfs --exclude-type=squashfs --output=pcent,ipcent,target) || {
    echo "UNKNOWN: df failed" # perhaps at one only: the others are checked all the same
    full=3
  }
  while read -r used inodes target; do # the name last: it may hold blanks
    if [[ $used != - ]] && ((${used%\%} >= 10#$limit)); then
      echo "CRITICAL $target: $used of the space used"
      full=2
    elif [[ $inodes != - ]] && ((${inodes%\%} >= 10#$limit)); then
      echo "CRITICAL $target: $inodes of the inodes used"
      full=2
    fi
  done < <(tail --lines=+2 <<< "$rows")
  return "$full"
}
# snippet:usage
# snippet:prints CRITICAL /: 91% of the space used
# snippet:prints CRITICAL /mnt/my disk: 95% of the inodes used
# snippet:prints status 2
# snippet:prints all fine
df() {
  printf 'Use%% IUse%% Mounted on\n91%% 10%% /\n20%% - /boot\n- - /media/empty\n40%% 95%% /mnt/my disk\n'
}
check_disks 90 || echo "status $?"
check_disks 99 && echo "all fine"
# snippet:check
# snippet:prints UNKNOWN: the limit "90%" is no whole number from 0 to 100
# snippet:prints status 3
# snippet:prints UNKNOWN: df failed
# snippet:prints status 3
# snippet:prints UNKNOWN: df failed
# snippet:prints CRITICAL /: 91% of the space used
# snippet:prints status 2
# snippet:prints UNKNOWN: df failed
# snippet:prints status 3
check_disks 90% || echo "status $?"
df() { return 1; }
check_disks 90 || echo "status $?"
df() { printf 'Use%% IUse%% Mounted on\n91%% 10%% /\n' && return 1; }
check_disks 90 || echo "status $?"
check_disks 95 || echo "status $?"
