#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html#index-RANDOM RANDOM
# roll <dice>: "3d6+2" shows every die and the total; up to 100 dice of up to 1000 sides.
roll() {
  if [[ ! $1 =~ ^([1-9][0-9]?|100)?d([1-9][0-9]{0,2}|1000)([+-][0-9]{1,3})?$ ]]; then
    echo "roll: expected something like 3d6+2, got \"$1\"" >&2
    return 64
  fi
  local -r count=${BASH_REMATCH[1]:-1} sides=${BASH_REMATCH[2]} bonus=${BASH_REMATCH[3]}
  local total=0 die draw dice=()
  [[ -z $bonus ]] || total=$((${bonus:0:1}10#${bonus:1})) # 10#: +08 is not octal
  for ((die = 0; die < count; die++)); do
    # The few highest of the 32768 values are drawn again: they would favour the low sides.
    while draw=$RANDOM; ((draw >= 32768 - 32768 % sides)); do :; done
    dice+=($((draw % sides + 1)))
    ((total += dice[die]))
  done
  echo "$1: ${dice[*]} ${bonus:+($bonus) }= $total"
}

# The same dice each time; leave it out to play. Not for $(roll 3d6): a subshell is seeded anew.
RANDOM=20
roll 3d6+2
roll d20
# snippet:check
roll 2d6+08 > /dev/null && roll 3x6 2>&1 || echo "status $?"
# snippet:prints 3d6+2: 4 1 1 (+2) = 8
# snippet:prints d20: 14 = 14
# snippet:prints roll: expected something like 3d6+2, got "3x6"
# snippet:prints status 64
