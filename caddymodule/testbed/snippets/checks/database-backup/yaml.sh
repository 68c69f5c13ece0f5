# The command that checks the dump must refuse a truncated one, and take a whole one.
set -o pipefail
PATH=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH
export HOME=$PWD
as=
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
  chown -R postgres .
  as='setpriv --reuid=postgres --regid=postgres --clear-groups --'
fi
$as initdb -D data -A trust -E UTF8 --locale=C.UTF-8 -U postgres --no-sync >/dev/null
$as pg_ctl -D data -o "-k $PWD -c listen_addresses='' -c fsync=off" -w -l log start >/dev/null
trap '$as pg_ctl -D data -m immediate stop >/dev/null' EXIT
psql -q -h "$PWD" -U postgres -c 'CREATE TABLE shop AS SELECT n, md5(n::text) FROM generate_series(1, 20000) AS n'
pg_dump -h "$PWD" -U postgres --format=custom --file=new.dump postgres
check=$(sed -n 's/.*- \(pg_restore .*\);/\1/p' "$1" | sed "s|/backups|$PWD|")
test -n "$check"
bash -euc "$check"
truncate -s $(($(stat -c %s new.dump) * 2 / 3)) new.dump
pg_restore --list new.dump >/dev/null # which is why that is not enough
if bash -euc "$check" 2>/dev/null; then exit 1; fi
