#!/usr/bin/env bash
# snippet:doc https://docs.openssl.org/3.0/man1/openssl-rand/ openssl-rand
set -euo pipefail

# token [bytes]: letters, digits, - and _ only, so it fits into a URL. 32 bytes cannot be guessed.
token() {
  openssl rand -base64 "${1:-32}" | tr -d '\n=' | tr '+/' '-_'
}

# passphrase [words]: for people; six words of a list of 7776 are 77 bits.
passphrase() {
  local -r list=${WORD_LIST:-/usr/share/dict/words} words=${1:-6}
  shuf --repeat --random-source=/dev/urandom --head-count="$words" -- "$list" | paste --serial --delimiters=-
}
# snippet:check
# snippet:measures two tokens differ, and each has 256 bits
length=$(token | wc --chars)
[[ $(token) != "$(token)" && $(token) =~ ^[A-Za-z0-9_-]+$ ]] && echo "$length characters"
WORD_LIST=$(mktemp)
trap 'rm -f "$WORD_LIST"' EXIT
printf 'word\n%.0s' {1..20} > "$WORD_LIST"
passphrase 3
# snippet:prints 43 characters
# snippet:prints word-word-word
