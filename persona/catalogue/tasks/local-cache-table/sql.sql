-- snippet:doc https://www.sqlite.org/stricttables.html STRICT tables
-- snippet:description Keep what was fetched in a table with the time and how long it is good. What is stale is still shown and marked as
-- snippet:description such; to make room, all but the newest 500 of what is not pinned are deleted.
-- snippet:needs SQLite 3.38
-- snippet:about SQLite
-- SQLite: what the app shows while it is offline, and what it may forget when space is short.
CREATE TABLE IF NOT EXISTS cache (
  key         TEXT PRIMARY KEY,
  body        TEXT NOT NULL,
  fetched_at  INTEGER NOT NULL DEFAULT (unixepoch()),
  max_age     INTEGER NOT NULL CHECK (max_age > 0),   -- seconds
  pinned      INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1))
) STRICT, WITHOUT ROWID;

INSERT INTO cache (key, body, fetched_at, max_age)
VALUES ('/orders', '[{"id":7}]', unixepoch() - 120, 60)
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, fetched_at = excluded.fetched_at, max_age = excluded.max_age;

-- Stale entries are still shown when there is no network; the app only has to know.
SELECT body, unixepoch() - fetched_at > max_age AS is_stale
FROM cache
WHERE key = '/orders';

-- Make room: pinned entries stay, and the newest 500 of the others.
DELETE FROM cache
WHERE key IN (SELECT key FROM cache WHERE NOT pinned ORDER BY fetched_at DESC LIMIT -1 OFFSET 500);
-- snippet:usage
SELECT count(*) FROM cache;
-- snippet:prints [{"id":7}]|1
-- snippet:prints 1
