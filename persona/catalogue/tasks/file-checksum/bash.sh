#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/sha2-utilities.html sha256sum
# snippet:needs GNU coreutils, Bash 4
# snippet:title Install a file if its SHA-256 is right
# snippet:description Compare the SHA-256 of a file with the one that was published, and install the file only if they are equal.
# snippet:description Otherwise say which checksum it has, and install nothing.
# snippet:why A download that arrived damaged, or was replaced, is refused before it is installed.
set -euo pipefail

# install_verified <file> <sha256> <target>: the file must lie where nobody else can write.
install_verified() {
  local -r file=$1 expected=$2 target=$3
  local actual
  [[ -f $file ]] || { echo "no such file: $file" >&2; return 1; } # a pipe can be read only once
  actual=$(sha256sum < "$file" | cut -d ' ' -f 1) || return
  if [[ $actual != "${expected,,}" ]]; then
    echo "refusing $file: its SHA-256 is $actual" >&2
    return 1
  fi
  install -D --no-target-directory --mode=0755 -- "$file" "$target"
}
# snippet:usage
echo 'echo hi' > tool
install_verified tool ab08508fdf5ca4da5c4995987bc41c56c048aaa5eeb046417ae4049b7d40286e bin/tool && bin/tool
install_verified tool "$(printf '%064d' 0)" bin/other || echo "not installed"
# snippet:prints hi
# snippet:prints not installed
# snippet:check
install_verified gone "$(printf '%064d' 0)" bin/gone 2> /dev/null || echo "status $?"
install_verified <(cat tool) "$(sha256sum tool | cut -d ' ' -f 1)" bin/pipe 2> /dev/null || ls bin
install_verified tool "$(sha256sum tool | cut -d ' ' -f 1)" bin 2> /dev/null || ls bin
# snippet:prints status 1
# snippet:prints tool
# snippet:prints tool
