#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-push#Documentation/git-push.txt---force-with-leaseltrefnamegt git push --force-with-lease
# snippet:about Git
# replace_branch [<remote>]: pushes the rebased branch, unless the server has commits that were never in yours.
replace_branch() {
  local remote=${1:-origin} branch
  branch=$(git symbolic-ref --quiet HEAD) || { echo "check out a branch first" >&2; return 1; }
  branch=${branch#refs/heads/} # --short would say heads/x where a tag is called x, too
  if [[ $branch == main || $branch == release/* ]]; then
    echo "$branch is everybody's: it is never replaced" >&2
    return 1
  fi
  git push --quiet --force-with-lease --force-if-includes "$remote" "refs/heads/$branch" || {
    echo "not replaced: git fetch $remote, and look at what you have not seen" >&2
    return 1
  }
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
git init -q --bare "$folder/server.git"
git remote add origin "$folder/server.git"
save a 1 "first"
git push -q origin main
git checkout -q -b feature
save b 2 "feature"
git push -q -u origin feature
git commit -q --amend -m "feature, amended"
git tag feature && replace_branch && git log -1 --format=%s origin/feature
git clone -q -b feature "$folder/server.git" "$folder/colleague" && git -C "$folder/colleague" commit -q --allow-empty -m "colleague" && git -C "$folder/colleague" push -q
git commit -q --amend -m "once more"
replace_branch 2>&1 | tail -1 || true
git --git-dir="$folder/server.git" log -1 --format=%s feature
git checkout -q main
replace_branch 2>&1 || true
# snippet:prints feature, amended
# snippet:prints not replaced: git fetch origin, and look at what you have not seen
# snippet:prints colleague
# snippet:prints main is everybody's: it is never replaced
