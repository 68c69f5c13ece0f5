#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-for-each-ref git for-each-ref
# snippet:about Git
# delete_merged <main>: deletes the branches that are wholly in the local branch <main>, and names them.
delete_merged() {
  local main=$1 merged branch worktree status=0
  # The full name: the short one could be that of a tag, too.
  merged=$(git for-each-ref --format='%(refname:lstrip=2)%09%(worktreepath)' \
    --merged="refs/heads/$main" refs/heads/) || return
  while IFS=$'\t' read -r branch worktree; do
    if [[ $branch == "$main" || -n $worktree ]]; then
      continue # checked out here, or in another worktree
    fi
    # It is in main: nothing is lost.
    if git branch --quiet --delete --force -- "$branch"; then echo "$branch"; else status=1; fi
  done <<< "$merged"
  return "$status"
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
save a 1 "first"
git branch old
git branch elsewhere
git worktree add -q "$folder/other" elsewhere
git checkout -q -b open
save b 2 "not merged"
git checkout -q main
git update-ref refs/remotes/origin/main main
git tag main open
git checkout -q --detach open
delete_merged main
delete_merged origin/main 2> /dev/null || echo refused
git for-each-ref --format='%(refname:lstrip=2)' refs/heads/
# snippet:prints old
# snippet:prints refused
# snippet:prints elsewhere
# snippet:prints main
# snippet:prints open
