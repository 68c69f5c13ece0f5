#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-printf printf
# snippet:description Draw labelled bars of characters for whole numbers, scaled to the largest one: a picture without a plotting
# snippet:description library. The value stands beside each bar.
# bars [width]: "value label" lines become a bar chart, scaled to the largest value. Lines that do not begin
# with a whole number of at most 15 digits are left out, and labels are cut to 12 characters, in a UTF-8 locale.
bars() {
  local -r width=${1:-40}
  local -a values=() labels=()
  local value label peak=1 bar i
  while read -r value label || [[ $value ]]; do
    [[ $value =~ ^[[:digit:]]{1,15}$ ]] || continue # arithmetic would run code in other text
    value=$((10#$value)) # 08 is eight
    values+=("$value") labels+=("${label:0:12}")
    ((value > peak)) && peak=$value
  done
  for i in "${!values[@]}"; do
    printf -v bar '%*s' $((values[i] * width / peak)) ''
    printf '%s%*s %s %d\n' "${labels[i]}" $((12 - ${#labels[i]})) '' "${bar// /█}" "${values[i]}"
  done
}

# For example: ps -eo user= | sort | uniq -c | sort -rn | bars
bars 30 << 'COUNTS'
42 www-data
17 postgres
5 root
0 backup
COUNTS
# snippet:prints www-data     ██████████████████████████████ 42
# snippet:prints postgres     ████████████ 17
# snippet:prints root         ███ 5
# snippet:prints backup        0
