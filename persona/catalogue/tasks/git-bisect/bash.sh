#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-bisect git bisect
# snippet:about Git
# first_bad <good> <bad> <test>...: the first commit with which the test fails. Call it at the top of the repository.
# A test that exits with 125 cannot judge a commit, which is then skipped.
first_bad() {
  local good=$1 bad=$2
  shift 2
  git bisect start "$bad" "$good" -- >&2 || return
  git bisect run "$@" >&2 || { git bisect reset >&2; return 1; }
  git --no-pager log -1 --format='%h %an %s' refs/bisect/bad
  git bisect reset >&2
}
# snippet:check
set -euo pipefail
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=ana@example.com
export GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=ana@example.com GIT_AUTHOR_DATE=2026-03-01T10:00:00Z GIT_COMMITTER_DATE=2026-03-01T10:00:00Z
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git init -q -b main work
cd work
save() { printf '%s\n' "$2" > "$1" && git add "$1" && git commit -q -m "$3"; }
for n in 1 2 3 4 5 6 7; do save n "$n" "step $n"; done
first_bad HEAD~6 HEAD sh -c 'test "$(cat n)" -lt 5' 2>/dev/null | cut -d' ' -f2-
git branch --show-current
# snippet:prints Ana step 5
# snippet:prints main
