#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/du-invocation.html du
# snippet:needs Bash 4.4
# snippet:description Show what fills a folder: the largest folders of two levels in it, with their share of the whole and a bar.
# snippet:description Other file systems that are mounted below it are left out, and what may not be read is reported.
# biggest [folder] [count]: what fills the folder, as bars.
biggest() {
  local -r folder=${1:-.} count=${2:-10}
  local total=0 shown=0 line size path share bar
  while IFS= read -r -d '' line; do
    ((++shown > count)) && continue
    size=${line%%$'\t'*} path=${line#*$'\t'}
    ((total == 0)) && total=$size # the first line is the largest: the folder itself
    share=$((100 * size / (total > 0 ? total : 1)))
    printf -v bar '%*s' $((share / 5)) ''
    printf '%8s %3d%% %-20s %s\n' "$(numfmt --to=iec "$size")" "$share" "${bar// /#}" "$path"
  done < <(
    # One file system only, and names that may hold anything but a zero byte.
    du --null --block-size=1 --one-file-system --max-depth=2 -- "$folder" |
      sort --zero-terminated --numeric-sort --reverse
    exit "${PIPESTATUS[0]}"
  )
  wait "$!" # the status of du: not 0 if something could not be read
}
# snippet:check
cd "$(mktemp -d)" || exit
trap 'rm -rf -- "$PWD"' EXIT
mkdir -p "logs/old ones" photos
head -c 3000000 /dev/zero > "logs/old ones/app.log"
head -c 1000000 /dev/zero > photos/cat.jpg
biggest . | awk '{ print $2, $3, $4 }'
biggest no-such-folder 2> /dev/null || echo "status $?"
biggest . 1 | wc -l
# snippet:prints 100% #################### .
# snippet:prints 74% ############## ./logs
# snippet:prints 74% ############## ./logs/old
# snippet:prints 25% ##### ./photos
# snippet:prints status 1
# snippet:prints 1
