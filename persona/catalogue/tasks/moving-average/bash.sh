#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/Arrays.html Arrays in awk
# smooth <window>: a second column with the mean of the last values. On a live stream, mawk
# needs -W interactive: without it, it waits for a block of input.
smooth() {
  LC_ALL=C awk -v size="$1" '
    {
      slot = NR % size          # overwrite the oldest value
      sum += $1 - ring[slot]
      ring[slot] = $1
      if (slot == 0) {          # once a round, so that rounding errors do not add up
        sum = 0
        for (i in ring) sum += ring[i]
      }
      filled = NR < size ? NR : size
      printf "%8.2f %8.2f\n", $1, sum / filled
      fflush()                  # show it now, also into a pipe
    }'
}

# For example: vmstat -n 1 | awk 'NR > 2 { print $1; fflush() }' | smooth 10
printf '%s\n' 20.1 20.4 35.0 20.2 20.3 | smooth 3
# snippet:prints    20.10    20.10
# snippet:prints    20.40    20.25
# snippet:prints    35.00    25.17
# snippet:prints    20.20    25.20
# snippet:prints    20.30    25.17
