# syntax=docker/dockerfile:1
# snippet:description Dump a PostgreSQL database, read the dump back, and keep it encrypted, with the time in its name. Copies that are
# snippet:description 30 days old are deleted, or as many as `KEEP_DAYS` says. Only who has the key can try to restore the encrypted file.
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/best-practices/ Building best practices
# snippet:about Docker
# snippet:needs Docker 23
FROM postgres:17.6-alpine

RUN apk add --no-cache age \
 && install -d -o postgres /backups

# Dump, read the dump back, and encrypt it for the key of the administrators before it counts.
COPY --chmod=755 <<'SCRIPT' /usr/local/bin/backup
#!/bin/bash
set -euo pipefail
[[ ${KEEP_DAYS:=30} =~ ^[1-9][0-9]*$ ]] || { echo "KEEP_DAYS: a whole number from 1" >&2; exit 64; }
name="${PGDATABASE:?which database?}-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f /tmp/dump "/backups/$name.age.part"' EXIT  # not encrypted yet, or half written
pg_dump --format=custom --file=/tmp/dump
pg_restore --file=/dev/null /tmp/dump  # reads all of it; --list reads the beginning only
age --recipients-file /etc/backup/recipients --output "/backups/$name.age.part" /tmp/dump
mv "/backups/$name.age.part" "/backups/$name.age"
days=$((KEEP_DAYS - 1))  # +29 finds what is 30 days old or more
find /backups -name "$PGDATABASE-????????T??????Z.dump.age" -mtime "+$days" -delete
echo "kept $name.age"
SCRIPT

COPY recipients /etc/backup/recipients
USER postgres
VOLUME /backups
ENTRYPOINT ["backup"]
