#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-log#Documentation/git-log.txt--Sltstringgt git log -S
# snippet:about Git
# history_of <text> [<path>...]: the commits that added or removed the text, oldest first. With a path, a file that was
# moved counts as removed where it was, and added where it is.
history_of() {
  local text=$1
  shift
  # %x09 is a tab; -i is left out: a name in other capitals is another name. Without --full-history, a path hides
  # a branch whose change was lost in a merge. A stash is made of commits, too.
  git log --reverse --exclude=refs/stash --all --full-history -M \
    --date=short --format='%h%x09%ad%x09%an%x09%s' -S"$text" -- "$@"
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
save a "check(user)" "add the check"
save b other "something else"
git mv a c && git commit -qm "move"
save c "" "simplify"
history_of "check(user)" | cut -f2-
git checkout -q -b side HEAD~1
save other "lost" "on a branch"
git checkout -q main
save other "kept" "on main"
git merge -q -s ours -m merged side && git branch -q -D side
history_of lost other | cut -f2-
echo stashed > new && echo stashed >> other && git add other && git stash -q -u
history_of stashed
# snippet:prints 2026-03-01	Ana	add the check
# snippet:prints 2026-03-01	Ana	simplify
# snippet:prints 2026-03-01	Ana	on a branch
