#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-rebase#Documentation/git-rebase.txt---autosquash git rebase --autosquash
# snippet:about Git
# mend <commit>: squashes what is staged into an earlier commit of this branch, which is no fixup itself.
# Fixups of later commits, where there are any, are squashed as well.
mend() {
  local commit base
  commit=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "no such commit: $1" >&2; return 1; }
  git merge-base --is-ancestor "$commit" HEAD || { echo "not in this branch: $1" >&2; return 1; }
  base=$(git rev-parse --verify --quiet "$commit^") || base=--root # the first commit has none before it
  if git diff --cached --quiet; then
    echo "nothing is staged: git add what belongs into $1" >&2
    return 1
  fi
  # A rebase makes merges anew, without what was changed in them by hand.
  if [[ $(git rev-list --merges --max-count=1 HEAD --not "$commit^@") ]]; then
    echo "$1 or a later commit is a merge: mend it with a new commit" >&2
    return 1
  fi
  git commit --quiet --fixup="$commit" || return
  # true is the editor: it accepts the list of steps as Git has written it.
  GIT_SEQUENCE_EDITOR=true git rebase --quiet --interactive --autosquash --autostash "$base"
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
save b typo "add b"
save c 3 "add c"
echo right > b
git add b
echo unstaged > a
mend HEAD~1 > /dev/null
git log --format=%s
git show HEAD~1:b
cat a
mend HEAD~1 2>&1 || true
git checkout -q -b other HEAD~2
save d 4 "elsewhere"
git checkout -q --force main
echo one > a
git add a
mend other 2>&1 || true
mend HEAD~2
git show HEAD~2:a
git merge -q --no-ff --allow-unrelated-histories -s ours -m merged other
echo two > a
git add a
mend HEAD~2 2>&1 || true
# snippet:prints add c
# snippet:prints add b
# snippet:prints first
# snippet:prints right
# snippet:prints unstaged
# snippet:prints nothing is staged: git add what belongs into HEAD~1
# snippet:prints not in this branch: other
# snippet:prints one
# snippet:prints HEAD~2 or a later commit is a merge: mend it with a new commit
