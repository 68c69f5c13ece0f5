#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/tr-invocation.html tr
# caesar <shift>: standard input with every letter from A to Z moved along the alphabet.
caesar() {
  local -r LC_ALL=C # elsewhere [0-9] has other digits, too, such as ²
  [[ $1 =~ ^-?(0|[1-9][0-9]?)$ ]] || { echo "not a shift: $1" >&2; return 1; }
  local -r shift=$((($1 % 26 + 26) % 26))
  local -r upper=ABCDEFGHIJKLMNOPQRSTUVWXYZ lower=abcdefghijklmnopqrstuvwxyz
  tr "$upper$lower" \
    "${upper:shift}${upper:0:shift}${lower:shift}${lower:0:shift}"
}

caesar 3 <<< "Hello, Caesar!"
caesar 3 <<< "Hello, Caesar!" | caesar -3

# Only 25 keys: trying them all is quick. That is why it is a toy.
for key in {1..25}; do
  plain=$(caesar "-$key" <<< "WKH HDJOH KDV ODQGHG")
  if [[ $plain == *THE* ]]; then
    echo "key $key: $plain"
  fi
done
# snippet:prints Khoor, Fdhvdu!
# snippet:prints Hello, Caesar!
# snippet:prints key 3: THE EAGLE HAS LANDED
