#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Arrays.html Arrays
# snippet:needs Bash 4
# snippet:check
exec 0< <(printf '%s\n' north east jump north)
# snippet:end
declare -A text=(
  [cave]="You wake up in a cave. A draught comes from the north."
  [hall]="A hall of ice. Something glitters in the east; the cave is south."
  [lake]="A frozen lake, and in it a golden key. The hall is west, daylight north."
  [exit]="Fresh air! You made it."
)
# "room:direction" leads to a room: new places need no new code.
declare -A way=(
  [cave:north]=hall [hall:south]=cave [hall:east]=lake [lake:west]=hall [lake:north]=exit
)

room=cave
until [[ $room == exit ]]; do
  echo "${text[$room]}"
  read -rp "> " direction || [[ -n $direction ]] || exit 0 # no more input
  next=${way[$room:$direction]:-}
  if [[ -n $next ]]; then
    room=$next
  else
    echo "You cannot go \"$direction\" from here."
  fi
done
echo "${text[$room]}"
# snippet:prints You wake up in a cave. A draught comes from the north.
# snippet:prints A hall of ice. Something glitters in the east; the cave is south.
# snippet:prints A frozen lake, and in it a golden key. The hall is west, daylight north.
# snippet:prints You cannot go "jump" from here.
# snippet:prints A frozen lake, and in it a golden key. The hall is west, daylight north.
# snippet:prints Fresh air! You made it.
