#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html#index-RANDOM RANDOM
# snippet:check
RANDOM=20
# snippet:end
# roll <dice>: "3d6+2" shows every die and the total; up to 100 dice of up to 1000 sides.
roll() {
  if [[ ! $1 =~ ^([1-9][0-9]?|100)?d([1-9][0-9]{0,2}|1000)([+-][0-9]{1,3})?$ ]]; then
    echo "roll: expected something like 3d6+2, got \"$1\"" >&2
    return 64
  fi
  local -r count=${BASH_REMATCH[1]:-1} sides=${BASH_REMATCH[2]} bonus=${BASH_REMATCH[3]}
  local total=$((bonus)) die dice=()
  for ((die = 0; die < count; die++)); do
    dice+=($((RANDOM % sides + 1)))
    ((total += dice[die]))
  done
  echo "$1: ${dice[*]} ${bonus:+($bonus) }= $total"
}

roll 3d6+2
roll d20
# snippet:check
roll 3x6 2>&1 || echo "status $?"
# snippet:prints 3d6+2: 4 1 1 (+2) = 8
# snippet:prints d20: 14 = 14
# snippet:prints roll: expected something like 3d6+2, got "3x6"
# snippet:prints status 64
