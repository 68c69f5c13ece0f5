#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/mktemp-invocation.html mktemp
set -euo pipefail

# A private folder with a name nobody can guess, gone however the script ends.
workspace=$(mktemp --directory --tmpdir report.XXXXXXXX)
trap 'rm -rf -- "$workspace"' EXIT

sort --unique > "$workspace/today" <<'LIST'
kettle
teapot
cup
LIST
printf 'cup\nspoon\n' > "$workspace/yesterday"

echo "new since yesterday:"
comm -23 "$workspace/today" "$workspace/yesterday"
# snippet:prints new since yesterday:
# snippet:prints kettle
# snippet:prints teapot
