#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/mktemp-invocation.html mktemp
set -euo pipefail

# write_atomically <file>: standard input becomes the file, whole or not at all.
write_atomically() (
  file=$1
  # In the same folder: a rename is only atomic within one file system.
  new=$(mktemp -- "$file.XXXXXXXX")
  trap 'rm -f -- "$new"' EXIT

  cat > "$new"
  chmod --reference="$file" -- "$new" 2> /dev/null || chmod 644 -- "$new"
  sync -- "$new"
  mv --force -- "$new" "$file"
)
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
echo "port = 80" > app.conf && chmod 600 app.conf
sed 's/80/8080/' app.conf | write_atomically app.conf
stat -c '%a %n' -- * && cat app.conf
# snippet:prints 600 app.conf
# snippet:prints port = 8080
