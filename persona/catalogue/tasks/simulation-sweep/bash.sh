#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/findutils/manual/html_node/find_html/Invoking-xargs.html xargs
# snippet:needs GNU findutils and coreutils
set -euo pipefail

# simulate <damping> <frequency>: amplitude of a driven oscillator.
simulate() {
  LC_ALL=C awk -v d="$1" -v f="$2" 'BEGIN {
    printf "%.2f %.2f %.4f\n", d, f, 1 / sqrt((1 - f * f) ^ 2 + (2 * d * f) ^ 2)
  }'
}

# keep <results> <damping> <frequency>: whole result files only, also after an interruption.
keep() {
  local -r part=$1/.part-$2-$3-$$ # of this process only: two sweeps may run at once
  simulate "$2" "$3" > "$part" && mv -- "$part" "$1/$2-$3"
}
export -f simulate keep

# sweep <results>: all combinations on all cores; what is there is not run again.
sweep() {
  local -r results=$1
  local damping frequency
  mkdir -p -- "$results"
  for damping in 0.05 0.10 0.20; do
    for frequency in 0.50 1.00 1.50; do
      [[ -s $results/$damping-$frequency ]] ||
        printf '%s\0' "$results" "$damping" "$frequency"
    done
  done | xargs --null --no-run-if-empty --max-args=3 --max-procs="$(nproc)" bash -c 'keep "$@"' _
}
# snippet:usage
sweep results && sweep results
cat results/0.05-*
# snippet:prints 0.05 0.50 1.3304
# snippet:prints 0.05 1.00 10.0000
# snippet:prints 0.05 1.50 0.7943
