#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Redirections.html Redirections to /dev/tcp
# snippet:title Wait until a port answers
# snippet:why A process that runs is not yet one that answers.
# snippet:description Wait until a port accepts connections, and give up after some seconds, with a message. It is meant
# snippet:description for an entry point that needs a database first.
# wait_for <host> <port> [seconds]: return as soon as the port accepts connections.
wait_for() {
  local -r host=$1 port=$2 limit=${3:-30}
  local -r deadline=$((SECONDS + limit))
  # timeout: where a firewall swallows the packets, connecting alone takes minutes.
  until timeout 2 bash -c ': 3<> "/dev/tcp/$0/$1"' "$host" "$port" 2> /dev/null; do
    if ((SECONDS >= deadline)); then
      echo "$host:$port did not answer within ${limit}s" >&2
      return 1
    fi
    sleep 0.2
  done
}

# For example in an entry point: wait_for database 5432 60 && exec ./server
# snippet:check
wait_for 127.0.0.1 1 0 2>&1 || echo "status $?"
# snippet:prints 127.0.0.1:1 did not answer within 0s
# snippet:prints status 1
