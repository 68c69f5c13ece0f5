#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Shell-Parameter-Expansion.html Shell parameter expansion
# snippet:needs GNU coreutils, iconv of the GNU C library
# snippet:into Source it in a script: tidy *.JPG
# snippet:title Rename files to tidy names
# snippet:description Give files names of small letters, digits and hyphens. Accents are taken off as the locale does it, the extension
# snippet:description stays, and no file takes the place of another.
# snippet:why Names without blanks and accents are easier to handle in scripts and addresses.
# "Été à Paris (1).JPG" → "ete-a-paris-1.jpg", without losing a file to a name clash. How accents
# are spelt out is the locale's choice: it has to be one like en_GB.UTF-8, not C.
slug() {
  local text words
  text=$(iconv --to-code=ASCII//TRANSLIT <<< "$1") || return # not in the encoding of the locale
  text=$(LC_ALL=C tr A-Z a-z <<< "$text") # bash itself makes another letter of I in Turkish
  text=${text//[^a-z0-9]/ }
  read -ra words <<< "$text" # splits at blanks and drops empty words
  local IFS=-
  echo "${words[*]}"
}

tidy() {
  local path name extension target
  for path in "$@"; do
    name=$(basename -- "$path")
    # .jpg, and only .gz of .tar.gz; what has a blank in it is none, nor is a name that only begins with a point
    extension=''
    [[ $name =~ ^(.+)(\.[[:alnum:]]+)$ ]] && name=${BASH_REMATCH[1]} extension=${BASH_REMATCH[2]}
    name=$(slug "$name") || continue # with the others
    [[ -n $name ]] || continue # nothing is left of it
    target=$(dirname -- "$path")/$name$(LC_ALL=C tr A-Z a-z <<< "$extension")
    [[ $path -ef $target ]] && continue
    mv --no-clobber --no-target-directory --verbose -- "$path" "$target" || continue # the name is taken
  done
}
# snippet:check
cd "$(mktemp -d)" || exit
trap 'rm -rf -- "$PWD"' EXIT
touch "Summer in  Paris (1).JPG" "summer_in-paris 1.jpg" notes.txt README '(!).txt' 'Mr. Smith' Notes
mkdir notes
tidy "Summer in  Paris (1).JPG" "summer_in-paris 1.jpg" notes.txt README '(!).txt' 'Mr. Smith' Notes | sed "s/renamed //"
printf '%s\n' *
# snippet:prints 'Summer in  Paris (1).JPG' -> './summer-in-paris-1.jpg'
# snippet:prints 'README' -> './readme'
# snippet:prints 'Mr. Smith' -> './mr-smith'
# snippet:prints (!).txt
# snippet:prints Notes
# snippet:prints mr-smith
# snippet:prints notes
# snippet:prints notes.txt
# snippet:prints readme
# snippet:prints summer-in-paris-1.jpg
# snippet:prints summer_in-paris 1.jpg
