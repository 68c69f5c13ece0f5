#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Shell-Functions.html Shell functions
# snippet:needs Bash 4
# to_seconds <duration>: 90, 5m, 2h or 1d, at most 12 digits; anything else is refused.
to_seconds() {
  [[ $1 =~ ^([[:digit:]]{1,12})([smhd]?)$ ]] || return 64
  local -rA unit=([s]=1 [m]=60 [h]=3600 [d]=86400)
  echo $((10#${BASH_REMATCH[1]} * ${unit[${BASH_REMATCH[2]:-s}]}))
}

failures=0
while IFS='|' read -r input want_output want_status; do
  output=$(to_seconds "$input")
  status=$?
  if [[ $output != "$want_output" || $status != "$want_status" ]]; then
    echo "not ok: to_seconds \"$input\": \"$output\" ($status)" \
      "instead of \"$want_output\" ($want_status)"
    ((failures++))
  fi
done << 'CASES'
90|90|0
5m|300|0
08h|28800|0
1d|86400|0
||64
-5m||64
9999999999999||64
CASES
echo "$failures failed"
((failures == 0)) # the exit status, for whoever runs the tests
# snippet:check
# snippet:prints 0 failed
