#!/usr/bin/env bash
# snippet:title Structured logging
# snippet:doc https://jqlang.org/manual/ jq manual
set -euo pipefail

# log <level> <message> [key=value…]: one JSON object per line on standard error.
log() {
  local -r level=$1 message=$2
  shift 2
  # jq does the quoting: a message with quotes or line breaks stays one field.
  jq --null-input --compact-output --arg level "$level" --arg message "$message" \
    --arg script "${0##*/}" --argjson line "${BASH_LINENO[0]}" \
    '{time: (now | todate), $level, $message, $script, $line}
     + ($ARGS.positional | map(split("=") | {(.[0]): .[1:] | join("=")}) | add // {})' \
    --args -- "$@" >&2
}

log info "backup finished" database=shop rows=1042 url="s3://example/?a=b"
# snippet:check
log warn $'it said "no"\ntwice' 2>&1 | jq --raw-output '[.level, .message, (has("time") | tostring)] | @json'
log info "copied" from=a=b 2>&1 | jq --raw-output .from
# snippet:prints ["warn","it said \"no\"\ntwice","true"]
# snippet:prints a=b
