#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/gawk.html GNU awk
# snippet:check
printf '%s\n' '# Changes' '' '## [1.20.1]' '- Other' '' '## [1.2.0] - 2026-03-01' '' '### Fixed' '- A crash.' '' '## 1.1.0' > CHANGELOG.md
# snippet:prints ### Fixed
# snippet:prints - A crash.
# snippet:prints CHANGELOG.md: no notes for 9.9.9
# snippet:end
set -euo pipefail

# release_notes VERSION prints its section of CHANGELOG.md; a version without notes is an error.
release_notes() {
  local notes
  notes=$(awk -v version="$1" '
    /^## / {
      if (found) exit
      name = $2
      gsub(/^\[?v?|\]?\r?$/, "", name)
      found = name == version   # compared as a text: no dot matches another letter
      next
    }
    found
  ' CHANGELOG.md)
  if [[ -z ${notes//[[:space:]]/} ]]; then
    printf 'CHANGELOG.md: no notes for %s\n' "$1" >&2
    return 1
  fi
  sed -e '/./,$!d' <<< "$notes"  # without blank lines at its start
}
# snippet:check
release_notes 1.2.0
release_notes 9.9.9 2>&1 || true
