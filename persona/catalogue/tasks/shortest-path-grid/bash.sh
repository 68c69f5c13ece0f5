#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Arrays.html Arrays
# snippet:needs Bash 4.3
# Breadth-first search through a maze of equally long lines with a wall around it; S is the start, G the goal.
maze=(
  '#########'
  '#S..#...#'
  '#.#.#.#.#'
  '#.#...#G#'
  '#########'
)
width=${#maze[0]}
printf -v cells '%s' "${maze[@]}" # one long string: up and down are ± width

start=${cells%%S*}
declare -a queue=("${#start}")
declare -A steps=(["${#start}"]=0)
for ((head = 0; head < ${#queue[@]}; head++)); do
  here=${queue[head]}
  [[ ${cells:here:1} == G ]] && echo "${steps[$here]} steps" && break
  for move in -1 1 -"$width" "$width"; do
    there=$((here + move))
    if [[ ${cells:there:1} != '#' && ! -v steps[$there] ]]; then
      steps[$there]=$((steps[$here] + 1))
      queue+=("$there")
    fi
  done
done
((head < ${#queue[@]})) || echo "the goal cannot be reached"
# snippet:prints 12 steps
