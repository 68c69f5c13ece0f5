#!/usr/bin/env bash
# snippet:description Read size, width, height and bits per pixel from the header of a BMP file. The magic bytes are checked, and
# snippet:description the size that the header tells must be that of the file.
# snippet:title Read the header of a bitmap
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/od-invocation.html od
set -euo pipefail

# field <file> <offset> <type>: od reads the number; the format is little-endian everywhere.
field() { od -An --endian=little -j "$2" -t "$3" -N "${3: -1}" -- "$1" | tr -d ' '; }

# read_bmp <file>: size, width, height and bits per pixel from the header of a bitmap (as Windows writes it).
read_bmp() {
  local magic length size header width height bits
  magic=$(od -An -tx1 -N2 -- "$1" | tr -d ' ')
  [[ $magic == 424d ]] || { echo "$1 is not a BMP file" >&2; return 1; }

  length=$(stat --dereference --format=%s -- "$1")
  if ((length < 30)); then echo "$1 ends in its header" >&2; return 1; fi

  size=$(field "$1" 2 u4)
  if ((size != length)); then echo "$1 has $length bytes, and says $size" >&2; return 1; fi
  header=$(field "$1" 14 u4) # 12: the header of OS/2, whose fields lie elsewhere
  width=$(field "$1" 18 d4)
  if ((header < 40 || width < 1)); then echo "the header of $1 is of another kind" >&2; return 1; fi
  height=$(field "$1" 22 d4)
  bits=$(field "$1" 28 u2)
  echo "${width}x${height#-}, $bits bits, $size bytes"
}
# snippet:check
file=$(mktemp)
trap 'rm -f "$file"' EXIT
printf 'BM\x1e\0\0\0%08d\x28\0\0\0\x80\x02\0\0\x20\xfe\xff\xff\x01\0\x18\0' 0 > "$file"
read_bmp "$file"
ln -s "$file" "$file.link"
read_bmp "$file.link"
rm "$file.link"
for header in '\x0c\0\0\0\x80\x02\0\0' '\x28\0\0\0\x80\xfd\xff\xff'; do
  printf "BM\x1e\0\0\0%08d$header"'\x20\xfe\xff\xff\x01\0\x18\0' 0 > "$file.bmp"
  read_bmp "$file.bmp" 2>&1 | sed "s#$file#it#" || true
done
rm "$file.bmp"
for length in 31 20 0; do
  truncate -s "$length" "$file"
  read_bmp "$file" 2>&1 | sed "s#$file#it#" || true
done
read_bmp /bin/true 2>&1 || echo "status $?"
# snippet:prints 640x480, 24 bits, 30 bytes
# snippet:prints 640x480, 24 bits, 30 bytes
# snippet:prints the header of it.bmp is of another kind
# snippet:prints the header of it.bmp is of another kind
# snippet:prints it has 31 bytes, and says 30
# snippet:prints it ends in its header
# snippet:prints it is not a BMP file
# snippet:prints /bin/true is not a BMP file
# snippet:prints status 1
