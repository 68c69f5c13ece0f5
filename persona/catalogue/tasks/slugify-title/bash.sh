#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Shell-Parameter-Expansion.html Shell parameter expansion
# snippet:title Rename files to tidy names
# "Été à Paris (1).JPG" → "ete-a-paris-1.jpg", without losing a file to a name clash.
slug() {
  local text
  text=$(iconv --to-code=ASCII//TRANSLIT <<< "${1,,}")
  text=${text//[^a-z0-9]/ }
  read -ra words <<< "$text" # splits at blanks and drops empty words
  local IFS=-
  echo "${words[*]}"
}

tidy() {
  local path name extension target
  for path in "$@"; do
    name=$(basename -- "$path")
    extension=${name##*.}
    target=$(dirname -- "$path")/$(slug "${name%.*}").${extension,,}
    [[ $path -ef $target ]] && continue
    mv --no-clobber --verbose -- "$path" "$target"
  done
}
# snippet:check
cd "$(mktemp -d)" || exit
trap 'rm -rf -- "$PWD"' EXIT
touch "Summer in  Paris (1).JPG" "summer_in-paris 1.jpg" notes.txt
tidy "Summer in  Paris (1).JPG" "summer_in-paris 1.jpg" notes.txt | sed "s/renamed //"
printf '%s\n' *
# snippet:prints 'Summer in  Paris (1).JPG' -> './summer-in-paris-1.jpg'
# snippet:prints notes.txt
# snippet:prints summer-in-paris-1.jpg
# snippet:prints summer_in-paris 1.jpg
