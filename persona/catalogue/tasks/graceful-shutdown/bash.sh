#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Signals.html Signals
# snippet:description Start a server from a shell script, send it SIGTERM on SIGTERM or Ctrl+C, wait until it has
# snippet:description gone, and return its exit status. How long it may take is for the server and the container to
# snippet:description say.
# snippet:title Pass a stop signal on to a server
# An entry point that passes the stop signal on and waits: as process 1 of a container, bash
# would otherwise ignore it and be killed ten seconds later.
stop() {
  [[ -n ${!-} ]] || exit 143 # nothing has begun yet
  echo "stopping"
  kill -TERM "$!" 2> /dev/null
}
trap stop TERM INT

run() {
  "$@" &
  local -r server_pid=$!
  # A trapped signal ends wait early: ask again until the server itself has gone.
  while wait "$server_pid"; kill -0 "$server_pid" 2> /dev/null; do
    :
  done
  wait "$server_pid"
  local -r status=$?
  echo "server ended with status $status"
  return "$status"
}
# snippet:check
server() {
  trap 'sleep 0.1; echo "requests finished"; exit 3' TERM
  for _ in {1..100}; do sleep 0.05; done
}
(sleep 0.2 && kill -TERM $$) &
run server || echo "and so did run: $?"
# snippet:prints stopping
# snippet:prints requests finished
# snippet:prints server ended with status 3
# snippet:prints and so did run: 3
