#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/git-log git-log
# snippet:into Save it as weekly.sh, with a last line that says weekly: bash weekly.sh, in a repository
# snippet:why What each author has added to the branch last week, from the log of the repository.
# snippet:description Count the commits of the last week on the current branch by author, with the lines added and removed, most
# snippet:description commits first. Merges are left out, and binary files count no lines.
set -euo pipefail

# weekly [since]: what happened on this branch, one line per author, most commits first.
weekly() {
  local -r since=${1:-1 week ago}
  git log --since="$since" --no-merges --numstat --format='author %aN' |
    awk '
      $1 == "author" { name = substr($0, 8); commits[name]++; next }
      NF >= 3 && $1 != "-" { added[name] += $1; removed[name] += $2 } # "-": a binary file
      END {
        for (name in commits)
          printf "%4d commits  +%-6d -%-6d %s\n", commits[name], added[name], removed[name], name
      }' |
    sort -k 1,1nr
}
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
git init --quiet --initial-branch=main
commit() {
  seq "$2" > file && git add file
  GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.com git commit --quiet --author="$1 <a@example.com>" -m "m"
}
commit Ana 3
commit "Bo Berg" 5
commit Ana 4
weekly
# snippet:prints    2 commits  +3      -1      Ana
# snippet:prints    1 commits  +2      -0      Bo Berg
