#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-reflog git reflog
# snippet:about Git
# lost: commits that were checked out once and that no branch or tag has now, the last seen first.
lost() {
  git rev-parse --verify HEAD > /dev/null || return
  git log --walk-reflogs --format='%H' HEAD -- | awk '!seen[$0]++' | while read -r commit; do
    [ -n "$(git for-each-ref --count=1 --contains "$commit" refs/heads refs/remotes refs/tags)" ] ||
      git --no-pager log -1 --date=short --format='%h %ad %s' "$commit"
  done
}

# recover <commit> <branch>: keeps it under a new name; your own branch stays as it is.
recover() { git branch -- "$2" "$1"; }
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
save a 1 "first"
save a 2 "the afternoon's work"
echo 3 > a
git stash -q
git reset -q --hard HEAD~1
lost | cut -d' ' -f2-
recover "$(lost | cut -d' ' -f1)" rescued
git log -1 --format=%s rescued
cat a
lost
# snippet:prints 2026-03-01 the afternoon's work
# snippet:prints the afternoon's work
# snippet:prints 1
