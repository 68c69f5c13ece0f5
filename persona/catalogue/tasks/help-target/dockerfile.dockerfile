# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/reference/dockerfile/#entrypoint ENTRYPOINT
# snippet:about Docker
# snippet:needs Docker 23
# An image that explains itself: "docker run --rm tools" lists what it can do.
FROM alpine:3.22

RUN apk add --no-cache bash jq yq-go

COPY --chmod=755 commands/ /opt/tools/
COPY --chmod=755 <<'SCRIPT' /usr/local/bin/tools
#!/bin/bash
set -euo pipefail
if [[ ! -f /opt/tools/${1:-} ]]; then
  # As the user who calls it, or it could not write to the mounted folder.
  echo "usage: docker run --rm --user \"\$(id -u)\" -v \"\$PWD:/work\" tools <command> [argument…]"
  # The second line of each script is its description: "# format: tidy all YAML files".
  for file in /opt/tools/*; do [[ -d $file ]] || sed -n '2s/^# /  /p' "$file"; done
  exit 64
fi
command=$1
shift
exec "/opt/tools/$command" "$@"
SCRIPT

LABEL org.opencontainers.image.description="Formats and checks configuration files"
WORKDIR /work
USER 1000:1000
ENTRYPOINT ["tools"]
