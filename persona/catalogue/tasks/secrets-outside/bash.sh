#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Redirections.html Redirections
# snippet:needs GNU coreutils, curl
# snippet:into Source it in a script: call_api https://api.example.com
set -euo pipefail

# secret <name>: from the folder of mounted secrets; refuses a file that others may read.
secret() {
  local -r file=${SECRETS_DIR:-/run/secrets}/$1
  local mode value
  if [[ ! -f $file ]]; then
    echo "secret \"$1\" is missing: mount it at $file" >&2
    return 1
  fi
  mode=$(stat --dereference --format=%a -- "$file") || return
  if ((8#$mode & 8#077)); then
    echo "secret \"$1\" has mode $mode: others may read it, make it 400" >&2
    return 1
  fi
  value=$(< "$file") || return
  [[ -n $value ]] || { echo "secret \"$1\" is empty: $file" >&2; return 1; }
  printf '%s' "$value"
}

# As an argument it would stand in every process list: hand it over on standard input.
call_api() {
  local token
  token=$(secret api_token) || return
  # A quote or a second line would be read as options of curl.
  [[ $token =~ ^[[:alnum:]._~+/-]+=*$ ]] || { echo "api_token is not a bearer token" >&2; return 1; }
  printf 'header = "Authorization: Bearer %s"\n' "$token" | # built in: no process list shows it
    curl --silent --show-error --fail --config - "$@"
}
# snippet:check
SECRETS_DIR=$(mktemp -d)
trap 'rm -rf -- "$SECRETS_DIR"' EXIT
echo "for-this-check" > "$SECRETS_DIR/api_token" && chmod 644 "$SECRETS_DIR/api_token"
secret api_token 2>&1 | sed "s#$SECRETS_DIR#DIR#" || true
chmod 600 "$SECRETS_DIR/api_token"
curl() { cat; }
call_api https://api.example.com
printf 'a\r\n' > "$SECRETS_DIR/api_token"
call_api https://api.example.com 2>&1 || true
printf 'a\nurl = "file:///etc/hostname"\n' > "$SECRETS_DIR/api_token"
call_api https://api.example.com 2>&1 || true
echo > "$SECRETS_DIR/api_token"
call_api https://api.example.com 2> /dev/null || echo "status $?"
rm "$SECRETS_DIR/api_token"
call_api https://api.example.com 2> /dev/null || echo "status $?"
# snippet:prints secret "api_token" has mode 644: others may read it, make it 400
# snippet:prints header = "Authorization: Bearer for-this-check"
# snippet:prints api_token is not a bearer token
# snippet:prints api_token is not a bearer token
# snippet:prints status 1
# snippet:prints status 1
