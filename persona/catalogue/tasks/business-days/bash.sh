#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/Date-input-formats.html Date input formats
# snippet:title Add working days to a date
# snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
# snippet:description not count.
# snippet:needs Bash 4.3
declare -A HOLIDAY=([2025-04-18]=1 [2025-04-21]=1 [2025-05-01]=1)

# add_working_days <YYYY-MM-DD> <count>
add_working_days() {
  local day left weekday
  [[ $1 =~ ^[[:digit:]]{4}(-[[:digit:]]{2}){2}$ && $2 =~ ^[[:digit:]]{1,9}$ ]] || {
    echo "expected YYYY-MM-DD and a number of days, not \"$1\" and \"$2\"" >&2
    return 1
  }
  left=$((10#$2)) # 08 is eight
  day=$(date -u --date="$1 12:00" +%F) || return
  while ((left > 0)); do
    # Noon in UTC: no summer time can move it into another day.
    read -r day weekday < <(date -u --date="$day 12:00 next day" '+%F %u') || return
    if ((weekday <= 5)) && [[ ! -v HOLIDAY[$day] ]]; then
      ((left--))
    fi
  done
  echo "$day"
}

echo "due on $(add_working_days 2025-04-16 3)"
# snippet:check
add_working_days 2025-04-16 08
add_working_days "" 3 2>&1 || echo "status $?"
add_working_days 2025-04-16 '1+a[$(echo run >&2)]' 2>&1 || true
add_working_days 2025-02-30 1 2> /dev/null || echo "status $?"
# snippet:prints due on 2025-04-23
# snippet:prints 2025-04-30
# snippet:prints expected YYYY-MM-DD and a number of days, not "" and "3"
# snippet:prints status 1
# snippet:prints expected YYYY-MM-DD and a number of days, not "2025-04-16" and "1+a[$(echo run >&2)]"
# snippet:prints status 1
