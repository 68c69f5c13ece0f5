#!/usr/bin/env bash
# snippet:description Read lines of key and value from a file into an associative array that has the defaults; nothing in the file
# snippet:description is run. The first line of another form, or with an unknown key, is refused with its number.
# snippet:title Read settings from a file with defaults
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Arrays.html Arrays
# snippet:needs Bash 4.3
# load_config <file>: "key = value" lines become CONFIG[key]; unlike `source`, nothing is run. What follows
# a "#" is a comment, also within a value.
declare -A CONFIG=([port]=8080 [log_level]=info)

load_config() {
  local line number=0
  local -r pattern='^[[:space:]]*([a-z_]+)[[:space:]]*=[[:space:]]*(.*[^[:space:]])[[:space:]]*$'
  while IFS= read -r line || [[ -n $line ]]; do
    ((++number))
    line=${line%%#*}
    [[ $line =~ ^[[:space:]]*$ ]] && continue
    if [[ ! $line =~ $pattern ]]; then
      echo "$1:$number: expected \"key = value\"" >&2
      return 1
    elif [[ ! -v CONFIG[${BASH_REMATCH[1]}] ]]; then
      echo "$1:$number: unknown key \"${BASH_REMATCH[1]}\"" >&2
      return 1
    fi
    CONFIG[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
  done < "$1"
}
# snippet:check
cd "$(mktemp -d)" || exit
trap 'rm -rf -- "$PWD"' EXIT
printf '# service\nport = 9000 # local\n\nlog_level=debug' > app.conf
load_config app.conf && echo "${CONFIG[port]} ${CONFIG[log_level]}"
printf 'prot = 1\n' > typo.conf
load_config typo.conf 2>&1 || echo "status $?"
# snippet:prints 9000 debug
# snippet:prints typo.conf:1: unknown key "prot"
# snippet:prints status 1
