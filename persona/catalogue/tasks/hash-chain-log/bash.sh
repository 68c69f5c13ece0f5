#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/sha2-utilities.html sha256sum
set -euo pipefail

digest() { sha256sum | cut -d ' ' -f 1; }

# append <journal> <text>, by one writer at a time: each line begins with the hash of the line before it. Line breaks in
# the text become spaces.
append() {
  local previous=genesis
  [[ -s $1 ]] && previous=$(tail --lines=1 -- "$1" | digest)
  printf '%s %s\n' "$previous" "${2//$'\n'/ }" >> "$1"
}

verify() {
  local expected=genesis line number=0
  # read drops NUL bytes, and append writes none.
  tr --delete '\0' < "$1" | cmp --quiet - "$1" || { echo "$1: unreadable, or has NUL bytes" >&2; return 1; }
  while IFS= read -r line || [[ -n $line ]]; do # also a last line without its newline
    ((++number))
    if [[ ${line%% *} != "$expected" ]]; then
      echo "$1: line $number does not fit the one before it" >&2
      return 1
    fi
    expected=$(printf '%s\n' "$line" | digest)
  done < "$1"
  # Compare the head with one that was kept elsewhere: nothing else covers the last line, and a cut off end.
  echo "$number entries, chain intact, head $expected"
}
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
for entry in "ana: door opened" "bo: alarm off" "ana: door closed"; do append journal "$entry"; done
verify journal | sed -E 's/[0-9a-f]{52}$/…/'
# snippet:measures a changed entry is found
sed -i 's/bo:/cy:/' journal
verify journal 2>&1 || echo "status $?"
sed -i 's/cy:/bo:/' journal
printf '\0' >> journal
verify journal 2>&1 || echo "status $?"
tr --delete '\0' < journal > copy && mv copy journal
printf junk >> journal
verify journal 2>&1 || echo "status $?"
# snippet:prints 3 entries, chain intact, head ffab619c60ae…
# snippet:prints journal: line 3 does not fit the one before it
# snippet:prints status 1
# snippet:prints journal: unreadable, or has NUL bytes
# snippet:prints status 1
# snippet:prints journal: line 4 does not fit the one before it
# snippet:prints status 1
