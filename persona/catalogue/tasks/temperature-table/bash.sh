#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Shell-Arithmetic.html Shell arithmetic
# Bash counts in whole numbers only: work in tenths of a degree and place the point at the end.
# Whole and half degrees are exact; of others, less than a tenth is cut off.
fahrenheit_tenths() {
  echo $(($1 * 9 / 5 + 320))
}

with_point() {
  local -r tenths=$1 sign=${1:0:1}
  local -r absolute=${tenths#-}
  printf '%s%d.%d' "${sign/[0-9]/}" $((absolute / 10)) $((absolute % 10))
}

printf '%7s %7s\n' C F
for ((celsius = -200; celsius <= 400; celsius += 150)); do
  printf '%7s %7s\n' "$(with_point "$celsius")" "$(with_point "$(fahrenheit_tenths "$celsius")")"
done
# snippet:prints       C       F
# snippet:prints   -20.0    -4.0
# snippet:prints    -5.0    23.0
# snippet:prints    10.0    50.0
# snippet:prints    25.0    77.0
# snippet:prints    40.0   104.0
