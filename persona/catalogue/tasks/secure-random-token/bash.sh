#!/usr/bin/env bash
# snippet:doc https://docs.openssl.org/3.0/man1/openssl-rand/ openssl-rand
# snippet:needs OpenSSL, GNU coreutils, a list of words for passphrase
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
# snippet:usage
token | wc --chars
# snippet:prints 43
# snippet:check
# snippet:measures two tokens differ, and each has 256 bits
[[ $(token) != "$(token)" && $(token) =~ ^[A-Za-z0-9_-]+$ ]] && echo "differ"
printf 'word\n%.0s' {1..20} > list
WORD_LIST=list passphrase 3
# snippet:prints differ
# snippet:prints word-word-word
