#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Signals.html Signals
# An entry point that passes the stop signal on and waits: as process 1 of a container, bash
# would otherwise ignore it and be killed ten seconds later.
server_pid=''

stop() {
  echo "stopping"
  [[ -n $server_pid ]] && kill -TERM "$server_pid" 2> /dev/null
}
trap stop TERM INT

run() {
  "$@" &
  server_pid=$!
  # A trapped signal ends wait early: ask again until the server itself has gone.
  while wait "$server_pid"; kill -0 "$server_pid" 2> /dev/null; do
    :
  done
  wait "$server_pid"
  echo "server ended with status $?"
}
# snippet:check
server() {
  trap 'sleep 0.1; echo "requests finished"; exit 0' TERM
  for _ in {1..100}; do sleep 0.05; done
}
(sleep 0.2 && kill -TERM $$) &
run server
# snippet:prints stopping
# snippet:prints requests finished
# snippet:prints server ended with status 0
