#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/index.html GNU awk
# percentiles [percent…]: of the numbers on standard input, one a line, nearest rank; mean and
# count too. A percent is from 0 to 100.
percentiles() {
  local -x LC_ALL=C # numbers have a point
  sort -g | awk -v wanted="${*:-50 95 99}" '
    { sub(/\r$/, "") } # CRLF
    NF { value[++n] = $1; sum += $1 } # blank lines do not count
    END {
      if (n == 0) { print "no values" > "/dev/stderr"; exit 1 }
      printf "n=%d mean=%.3f", n, sum / n
      count = split(wanted, percent, " ")
      for (i = 1; i <= count; i++) {
        rank = int(percent[i] * n / 100 - 1e-7) + 1 # rounded up; 86.9 * 3000 / 100 is a little above 2607
        printf " p%s=%s", percent[i], value[rank]
      }
      printf " max=%s\n", value[n]
    }'
}

# For example the last field of a log: awk '{ print $NF }' access.log | percentiles
printf '%s\n' 12 14 13 240 12 16 14 900 13 12 | percentiles 50 90 99
# snippet:usage
seq 3000 | percentiles 0 0.1 55 86.9 99.9 100
# snippet:prints n=10 mean=124.600 p50=13 p90=240 p99=900 max=900
# snippet:prints n=3000 mean=1500.500 p0=1 p0.1=3 p55=1650 p86.9=2607 p99.9=2997 p100=3000 max=3000
