#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-worktree git worktree
# snippet:about Git
# Call both in the folder of the unfinished work.
# hotfix <name> <from>: a branch in a folder beside it; prints that folder.
hotfix() {
  local top folder
  top=$(git rev-parse --show-toplevel) || return
  folder=$top-$1
  if [[ -e $folder || -L $folder ]]; then # git would say so after it has made the branch
    echo "$folder exists already" >&2
    return 1
  fi
  git worktree add --quiet -b "hotfix/$1" -- "$folder" "$2" || return
  echo "$folder"
}

# finish <name>: removes the folder, unless it has changed or new files, or submodules; ignored files go with it.
finish() {
  git -c status.showUntrackedFiles=normal worktree remove -- "$(git rev-parse --show-toplevel)-$1"
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
git tag v1
save a 2 "second"
echo unfinished > a
fix=$(hotfix login v1)
cat "$fix/a" a
echo fixed > "$fix/a"
finish login 2>/dev/null || echo "kept"
git config status.showUntrackedFiles no
git -C "$fix" commit -qam "mend login"
echo new > "$fix/new"
finish login 2>/dev/null || echo "kept"
rm "$fix/new"
finish login
test ! -e "$fix" && git log -1 --format=%s hotfix/login
# snippet:prints 1
# snippet:prints unfinished
# snippet:prints kept
# snippet:prints kept
# snippet:prints mend login
