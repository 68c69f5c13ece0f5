#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/join-invocation.html join
# snippet:needs join, which BusyBox lacks
set -euo pipefail
export LC_ALL=C # sort and join must agree on the order

# differences <before> <after>: files with one "key<tab>value" a line, each key once, no tab in the value.
differences() {
  local -r tab=$'\t'
  if [[ ! -r $1 || -d $1 || ! -r $2 || -d $2 ]]; then # that sort fails in <(...) would not be noticed
    echo "cannot read $1 or $2" >&2
    return 1
  fi
  join -t "$tab" -a 1 -a 2 -o 0,1.1,1.2,2.1,2.2 \
    <(sort -t "$tab" -k 1,1 -- "$1") \
    <(sort -t "$tab" -k 1,1 -- "$2") |
    awk -F "$tab" '
      $1 == "" { next } # a blank line
      # "": compared as text, or 1.0 and 1.00 would be the same number.
      $2 == "" { print "added    " $1 "  " $5; next }
      $4 == "" { print "removed  " $1; next }
      $3 "" != $5 "" { print "changed  " $1 "  " $3 " -> " $5 }
    '
}

differences \
  <(printf '%s\t%s\n' kettle 39.90 cup 4.50 teapot 24.00) \
  <(printf '%s\t%s\n' kettle 39.90 cup 4.90 spoon 2.00)
# snippet:usage
# snippet:prints changed  cup  4.50 -> 4.90
# snippet:prints added    spoon  2.00
# snippet:prints removed  teapot
# snippet:check
differences <(printf 'version\t1.0\n') <(printf 'version\t1.00\n')
differences <(printf 'a\t1\n\n') <(printf 'a\t1\n\n')
differences no-such-file <(printf 'version\t1.0\n') 2> /dev/null || echo "status $?"
# snippet:prints changed  version  1.0 -> 1.00
# snippet:prints status 1
