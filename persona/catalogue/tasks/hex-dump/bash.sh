#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/od-invocation.html od
# snippet:needs GNU coreutils
# snippet:description Let `od` show bytes in rows with offset, hexadecimal and printable characters, sixteen to a row. A second
# snippet:description function tells some kinds of file by their first bytes.
# dump [offset] [length] < file: hexadecimal and text side by side, 16 bytes a line.
dump() {
  od --address-radix=x --format=x1z --width=16 --output-duplicates \
    --skip-bytes="${1:-0}" ${2:+--read-bytes="$2"}
}

# kind <file>: what the first bytes say, whatever the name claims.
kind() {
  local first
  first=$(od -An -tx1 -N8 -- "$1") || return
  case ${first// /} in
    89504e470d0a1a0a) echo "PNG image" ;;
    ffd8ff*) echo "JPEG image" ;;
    1f8b*) echo "gzip archive" ;;
    7f454c46*) echo "ELF file" ;;
    504b0304*) echo "ZIP archive" ;;
    *) echo "unknown" ;;
  esac
}

printf 'Hello, bytes!\n\0\1\2\377' | dump
# snippet:usage
dump 2 4 <<< "abcdefgh"
# snippet:prints 000000 48 65 6c 6c 6f 2c 20 62 79 74 65 73 21 0a 00 01  >Hello, bytes!...<
# snippet:prints 000010 02 ff                                            >..<
# snippet:prints 000012
# snippet:prints 000002 63 64 65 66                                      >cdef<
# snippet:prints 000006
# snippet:check
# snippet:prints gzip archive
# snippet:prints ELF file
kind <(printf 'x' | gzip)
kind /bin/bash
