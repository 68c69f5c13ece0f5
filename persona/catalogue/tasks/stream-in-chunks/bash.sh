#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/split-invocation.html split
set -euo pipefail

# in_chunks <lines> <command>: feed standard input to the command in pieces; nothing is stored.
# The command finds the number of its piece in $CHUNK.
in_chunks() {
  local -r lines=$1 chunk_command=$2
  SHELL=$BASH split --lines="$lines" --numeric-suffixes=1 --suffix-length=9 \
    --filter="CHUNK=\${FILE#x} $chunk_command" - x
}

load() {
  echo "chunk $CHUNK: $(wc --lines) rows"
}
export -f load

seq 1 2500 | in_chunks 1000 'bash -c load'
# snippet:prints chunk 000000001: 1000 rows
# snippet:prints chunk 000000002: 1000 rows
# snippet:prints chunk 000000003: 500 rows
