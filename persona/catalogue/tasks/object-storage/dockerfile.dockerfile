# syntax=docker/dockerfile:1
# snippet:doc https://docs.docker.com/reference/dockerfile/#here-documents Here-documents
# snippet:why A bucket on the desk that is used by the interface of S3, as many in the cloud are.
# snippet:description A storage server for development that makes a versioned bucket which strangers cannot read, and deletes
# snippet:description old versions after 30 days. The credentials are given at the start and are not in the image.
# snippet:about Docker
# snippet:needs Docker 23
# A private bucket for development; credentials are given at start and are not in the image.
FROM minio/mc:RELEASE.2025-08-13T08-35-41Z AS client
FROM minio/minio:RELEASE.2025-07-23T15-54-02Z

COPY --from=client /usr/bin/mc /usr/bin/mc
COPY --chmod=755 <<'SCRIPT' /usr/local/bin/bucket
#!/bin/bash
set -euo pipefail
: "${MINIO_ROOT_USER:?}" "${MINIO_ROOT_PASSWORD:?give both with --env-file}"
minio server /data --console-address :9001 &
server=$!
trap 'kill "$server"; wait' TERM INT
until mc alias set local http://127.0.0.1:9000 "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD"; do
  kill -0 "$server"  # fails, and ends this, if the server has gone
  sleep 0.5
done &> /dev/null
mc mb --ignore-existing --with-versioning "local/${BUCKET:-files}"
mc anonymous set none "local/${BUCKET:-files}"
mc ilm rule ls "local/${BUCKET:-files}" &> /dev/null ||
  mc ilm rule add --noncurrent-expire-days 30 "local/${BUCKET:-files}"
wait "$server"  # until it has gone
SCRIPT

RUN mkdir -p /data && chown 10001:10001 /data
ENV MC_CONFIG_DIR=/tmp/mc
USER 10001:10001
VOLUME /data
ENTRYPOINT ["bucket"]
