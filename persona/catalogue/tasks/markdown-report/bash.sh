#!/usr/bin/env bash
# snippet:why The notes come from the commits, so that nobody has to collect them.
# snippet:description Collect the commits since a tag and write them as Markdown, grouped by features, fixes and performance.
# snippet:description Other commits are left out. The subjects are copied as they are, so they may hold Markdown.
# snippet:doc https://git-scm.com/docs/git-log git-log
# snippet:into Save it as notes.sh, with a last line that says release_notes "$@": bash notes.sh v1.0, in a repository
# snippet:title Release notes from the commits, as Markdown
# snippet:needs Bash 4.3
set -euo pipefail

# release_notes [from] [to]: conventional commits since a tag, grouped by their kind. If none is given, it is the
# last one before to, and where that is a merge, the last one of its first parent.
release_notes() {
  local -r to=${2:-HEAD}
  local -rA titles=([feat]=Features [fix]=Fixes [perf]=Performance)
  local -r pattern='^(feat|fix|perf)(\(([^)]+)\))?!?: (.+)$'
  local -A notes=()
  local from=${1:-} log hash subject scope kind

  # Not in "local", which would hide that it failed; and set -e is off where the caller tests the status.
  [[ $from ]] || from=$(git describe --tags --abbrev=0 "$to^") || return
  log=$(git log --reverse --no-merges --format='%h %s' "$from..$to") || return
  while read -r hash subject; do
    [[ $subject =~ $pattern ]] || continue
    scope=${BASH_REMATCH[3]:+**${BASH_REMATCH[3]}:** }
    notes[${BASH_REMATCH[1]}]+="- $scope${BASH_REMATCH[4]} ($hash)"$'\n'
  done <<< "$log"

  echo "## Changes since $from"
  for kind in feat fix perf; do
    if [[ -v notes[$kind] ]]; then
      printf '\n### %s\n\n%s' "${titles[$kind]}" "${notes[$kind]}"
    fi
  done
}
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE="2025-01-01T00:00Z"
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com GIT_COMMITTER_DATE="2025-01-01T00:00Z"
git init --quiet --initial-branch=main
git commit --quiet --allow-empty -m "chore: start" && git tag v1
for message in "feat(cart): keep it for a week" "docs: typo" "fix: round prices once"; do
  git commit --quiet --allow-empty -m "$message"
done
release_notes | sed -E 's/\([0-9a-f]{7}\)/(hash)/' | grep .
(release_notes no-such-tag 2> /dev/null) || echo "status $?"
# snippet:prints ## Changes since v1
# snippet:prints ### Features
# snippet:prints - **cart:** keep it for a week (hash)
# snippet:prints ### Fixes
# snippet:prints - round prices once (hash)
# snippet:prints status 128
