#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-read read
# snippet:check
RANDOM=7
exec 0< <(printf 'fifty\n50\n25\n37\n43\n46\n45') # no line feed at its end
# snippet:end
secret=$((RANDOM % 100 + 1))
tries=0

echo "I am thinking of a number from 1 to 100."
while read -rp "Your guess: " guess || [[ $guess ]]; do # the last line may lack its end
  # Text in an arithmetic context would count as 0, or even run code.
  if [[ ! $guess =~ ^([1-9][0-9]?|100)$ ]]; then
    echo "Please type a whole number from 1 to 100."
    continue
  fi
  ((tries++))
  if ((guess < secret)); then
    echo "Higher!"
  elif ((guess > secret)); then
    echo "Lower!"
  else
    echo "Yes! Tries: $tries"
    break
  fi
done
# snippet:prints I am thinking of a number from 1 to 100.
# snippet:prints Please type a whole number from 1 to 100.
# snippet:prints Lower!
# snippet:prints Higher!
# snippet:prints Higher!
# snippet:prints Higher!
# snippet:prints Lower!
# snippet:prints Yes! Tries: 6
