#!/usr/bin/env bash
# snippet:doc https://www.sqlite.org/cli.html SQLite command line shell
set -euo pipefail

# backup <database> <folder> [copies to keep]: a copy counts once it was opened and checked.
backup() {
  local -r database=$1 folder=$2 keep=${3:-14}
  local -r name=$(basename "$database" .db)
  local -r copy=$folder/$name-$(date -u +%Y%m%dT%H%M%SZ).db
  local -a copies

  mkdir -p -- "$folder"
  # VACUUM INTO is consistent while the application writes; cp would not be.
  if ! sqlite3 -readonly "$database" "VACUUM INTO '${copy//\'/\'\'}.part'" ||
    [[ $(sqlite3 -readonly "$copy.part" 'PRAGMA integrity_check') != ok ]]; then
    rm -f -- "$copy.part"
    echo "backup of $database failed, the older copies are kept" >&2
    return 1
  fi
  mv -- "$copy.part" "$copy" || return # set -e is off where the caller asks with if

  # Not -*.db: that would take the copies of shop-old for those of shop.
  copies=("$folder/$name"-????????T??????Z.db) # the time in the name sorts like text: oldest first
  if ((${#copies[@]} > keep)); then
    rm -- "${copies[@]:0:${#copies[@]}-keep}"
  fi
}
# snippet:check
cd "$(mktemp -d)"
trap 'rm -rf -- "$PWD"' EXIT
sqlite3 shop.db 'CREATE TABLE item (name TEXT); INSERT INTO item VALUES ("kettle")'
mkdir copies && touch copies/shop-{,old-}2024010{1,2,3}T000000Z.db
backup shop.db copies 2
basename -a copies/shop-[2o]* | grep -v '^shop-202[5-9]'
sqlite3 copies/shop-202[5-9]*.db 'SELECT * FROM item'
echo junk > broken.db
if backup broken.db copies 2> /dev/null || compgen -G 'copies/broken*'; then echo "an empty copy of a broken database"; fi
# snippet:prints shop-20240103T000000Z.db
# snippet:prints shop-old-20240101T000000Z.db
# snippet:prints shop-old-20240102T000000Z.db
# snippet:prints shop-old-20240103T000000Z.db
# snippet:prints kettle
