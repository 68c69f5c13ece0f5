#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Conditional-Constructs.html Conditional constructs
# Check a deployment request before anything is touched; every problem is named, not just one.
validate() {
  local -r version=$1 replicas=$2 window=$3
  local -r LC_ALL=C # elsewhere [0-9] has other digits, too, such as ²
  local problems=()
  [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
    problems+=("version \"$version\": expected something like v1.4.2")
  # 10# because a leading zero would make the number octal.
  [[ $replicas =~ ^[0-9]{1,3}$ ]] && ((10#$replicas >= 1 && 10#$replicas <= 50)) ||
    problems+=("replicas \"$replicas\": expected 1 to 50")
  [[ $window =~ ^([01][0-9]|2[0-3]):[0-5][0-9]$ ]] ||
    problems+=("window \"$window\": expected HH:MM")

  ((${#problems[@]} == 0)) && return
  printf 'error: %s\n' "${problems[@]}" >&2
  return 65
}
# snippet:usage
validate v1.4.2 08 23:59 && echo "accepted"
validate 1.4 0 24:00 2>&1 || echo "status $?"
# snippet:prints accepted
# snippet:prints error: version "1.4": expected something like v1.4.2
# snippet:prints error: replicas "0": expected 1 to 50
# snippet:prints error: window "24:00": expected HH:MM
# snippet:prints status 65
