#!/usr/bin/env bash
# snippet:doc https://git-scm.com/docs/githooks#_pre_commit pre-commit
# snippet:about Git
# snippet:into Save it as hooks/pre-commit in a repository: chmod +x hooks/pre-commit
# snippet:check
if [[ ${0##*/} != pre-commit ]]; then
  set -euo pipefail
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=ana@example.com
  export GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=ana@example.com
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mkdir "$folder/hooks" && cp "$0" "$folder/hooks/pre-commit" && chmod +x "$folder/hooks/pre-commit"
  cd "$folder"
  git init -q -b main && git config core.hooksPath hooks
  echo fine > a && git add a && git commit -qm fine && echo committed
  printf '<<<<<<< ours\n' > "b c" && git add . && git reset -q hooks && git commit -qm merge 2>&1 | head -1 || true
  rm "b c" && git rm -q --cached "b c" && truncate -s 1048577 "big file" && git add "big file" && git commit -qm big 2>&1 || true
  truncate -s 1048577 1:x && git reset -q && git add 1:x && git commit -qm colon 2>&1 || true
  git log --format=%s
  exit
fi
# snippet:prints committed
# snippet:prints b c:1: leftover conflict marker
# snippet:prints big file has 1048577 bytes: at most 1048576 are committed
# snippet:prints 1:x has 1048577 bytes: at most 1048576 are committed
# snippet:prints fine
# snippet:end
# Enabled once in each clone: git config core.hooksPath hooks
limit=$((1024 * 1024)) # bytes
status=0

# Whitespace errors and markers of a merge, in what is staged: not in the working tree. A heading that is
# underlined with just seven = passes for a marker.
git --no-pager diff --cached --check || status=1

while IFS= read -r -d '' file; do
  size=$(git cat-file -s ":0:$file" 2> /dev/null) || continue # a submodule has no size here
  if ((size > limit)); then
    echo "$file has $size bytes: at most $limit are committed" >&2
    status=1
  fi
done < <(git diff --cached --name-only --diff-filter=ACMRT -z)
((status == 0)) || exit 1
