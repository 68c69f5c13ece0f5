#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/Numeric-Functions.html Numeric functions
# Two in a room of 23 share a birthday: guess first, then let the computer throw the dice.
estimate() {
  local -r people=$1 trials=$2 seed=$3
  LC_ALL=C awk -v people="$people" -v trials="$trials" -v seed="$seed" '
    # Our own generator (Park and Miller, seeds from 1 to 2147483646): every awk gives the same numbers.
    function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    BEGIN {
      for (trial = 1; trial <= trials; trial++) {
        split("", seen)
        for (person = 1; person <= people; person++)
          if (seen[int(random() * 365)]++) { hits++; break }
      }
      share = hits / trials
      # two thirds of all runs come as near to the truth as what follows +/-
      printf "%d people: %.3f +/- %.3f\n", people, share, sqrt(share * (1 - share) / trials)
    }'
}

for people in 10 23 40; do
  estimate "$people" 10000 7
done
# snippet:prints 10 people: 0.118 +/- 0.003
# snippet:prints 23 people: 0.507 +/- 0.005
# snippet:prints 40 people: 0.892 +/- 0.003
