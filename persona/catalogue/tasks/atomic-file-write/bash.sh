#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/mktemp-invocation.html mktemp
# snippet:needs GNU coreutils
set -euo pipefail

# write_atomically <file>: standard input becomes the file, whole or not at all. The file
# keeps its mode, and is then yours. An input that ends too early is not noticed here:
# pipefail tells the caller that its producer failed.
write_atomically() (
  file=$1
  # In the same folder: a rename is only atomic within one file system.
  new=$(mktemp -- "$file.XXXXXXXX") || exit
  trap 'rm -f -- "$new"' EXIT

  # "|| exit": set -e is off where the caller asks with if, && or ||.
  cat > "$new" || exit
  chmod --reference="$file" -- "$new" 2> /dev/null || chmod "=rw" -- "$new" # as umask says
  sync -- "$new" || exit
  mv --force --no-target-directory -- "$new" "$file"
)
# snippet:usage
echo "port = 80" > app.conf
sed 's/80/8080/' app.conf | write_atomically app.conf
cat app.conf
# snippet:prints port = 8080
# snippet:check
chmod 600 app.conf && write_atomically app.conf <<< "port = 8080"
stat -c '%a %n' -- app.conf*
seq 2000 | (ulimit -f 1 && trap '' XFSZ && write_atomically app.conf) 2> /dev/null || echo "kept: $(< app.conf)"
# snippet:prints 600 app.conf
# snippet:prints kept: port = 8080
