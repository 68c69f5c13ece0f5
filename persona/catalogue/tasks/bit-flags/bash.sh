#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Shell-Arithmetic.html Shell arithmetic
# snippet:title Name the bits of a status register
# snippet:description Turn the value of a status register into the names of the bits that are set, and names into a value. What is
# snippet:description not a byte or not a known name is refused. A bit without a name is shown as `_`.
# Names for the bits of a status register, lowest first.
readonly FLAGS=(READY BUSY OVERRUN PARITY FRAMING _ _ ENABLED)

# decode <value>: 0x8d → the names of the bits that are set.
decode() {
  local -r LC_ALL=C # elsewhere [0-9] has other digits, too, such as ²
  if ! [[ $1 =~ ^(0x[0-9a-fA-F]{1,2}|0|[1-9][0-9]{0,2})$ ]] || (($1 > 255)); then
    echo "not a byte: $1" >&2
    return 1
  fi
  local -r value=$(($1))
  local bit names=()
  for bit in "${!FLAGS[@]}"; do
    if ((value >> bit & 1)); then names+=("${FLAGS[bit]}"); fi
  done
  local IFS='|'
  printf '0x%02x = %s\n' "$value" "${names[*]:-none}"
}

# encode <name>…: the value with just these bits.
encode() {
  local value=0 bit name known
  for name in "$@"; do
    known=no
    for bit in "${!FLAGS[@]}"; do
      [[ ${FLAGS[bit]} == "$name" && $name != _ ]] && ((value |= 1 << bit)) && known=yes
    done
    [[ $known == yes ]] || { echo "no such flag: $name" >&2; return 1; }
  done
  printf '0x%02x\n' "$value"
}
# snippet:check
decode 0x8d
decode 0
encode READY ENABLED
encode READY ENABLE 2>&1
decode 256 2>&1 || true
decode 010 2>&1 || true
decode 32
decode 'a[$(echo run >&2)]' 2>&1 || true
# snippet:prints 0x8d = READY|OVERRUN|PARITY|ENABLED
# snippet:prints 0x00 = none
# snippet:prints 0x81
# snippet:prints no such flag: ENABLE
# snippet:prints not a byte: 256
# snippet:prints not a byte: 010
# snippet:prints 0x20 = _
# snippet:prints not a byte: a[$(echo run >&2)]
