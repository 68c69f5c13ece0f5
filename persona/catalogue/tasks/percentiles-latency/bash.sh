#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/index.html GNU awk
# percentiles [percent…]: of the numbers on standard input, one a line, nearest rank; mean and
# count too. A percent is from 0 to 100.
percentiles() {
  local -x LC_ALL=C # numbers have a point
  sort --general-numeric-sort | awk -v wanted="${*:-50 95 99}" '
    { sub(/\r$/, "") } # CRLF
    NF { value[++n] = $1; sum += $1 } # blank lines do not count
    END {
      if (n == 0) { print "no values" > "/dev/stderr"; exit 1 }
      printf "n=%d mean=%.1f", n, sum / n
      count = split(wanted, percent, " ")
      for (i = 1; i <= count; i++) {
        rank = percent[i] * n / 100 # in this order: 55 / 100 * 100 is above 55
        rank = rank == int(rank) ? rank : int(rank) + 1
        printf " p%s=%s", percent[i], value[rank < 1 ? 1 : rank]
      }
      printf " max=%s\n", value[n]
    }'
}

# For example the last field of a log: awk '{ print $NF }' access.log | percentiles
printf '%s\n' 12 14 13 240 12 16 14 900 13 12 | percentiles 50 90 99
# snippet:prints n=10 mean=124.6 p50=13 p90=240 p99=900 max=900
