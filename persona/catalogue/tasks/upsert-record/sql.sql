-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.sqlite.org/lang_upsert.html UPSERT
-- snippet:usage
CREATE TABLE reading_state (
  device text PRIMARY KEY, celsius numeric NOT NULL, measured_at text NOT NULL, updates int NOT NULL DEFAULT 1
);
INSERT INTO reading_state VALUES ('attic', 19.5, '2025-03-05T10:00Z', 1);
-- snippet:end
-- SQLite and PostgreSQL: keep the newest reading of each device. Messages may come twice or
-- late, but a device once in a statement: PostgreSQL refuses a second row for it. One
-- statement, so no other session can come in between. Times as text are all in one format.
INSERT INTO reading_state (device, celsius, measured_at)
VALUES ('attic', 21.5, '2025-03-05T10:05Z'),
       ('cellar', 11.5, '2025-03-05T10:05Z')
ON CONFLICT (device) DO UPDATE
SET celsius     = excluded.celsius,
    measured_at = excluded.measured_at,
    updates     = reading_state.updates + 1
WHERE excluded.measured_at > reading_state.measured_at;
-- snippet:usage
-- snippet:prints attic|21.5|2
-- snippet:prints cellar|11.5|1
INSERT INTO reading_state (device, celsius, measured_at) VALUES ('attic', 5.0, '2025-03-01T00:00Z')
ON CONFLICT (device) DO UPDATE SET celsius = excluded.celsius
WHERE excluded.measured_at > reading_state.measured_at;
SELECT device, celsius, updates FROM reading_state ORDER BY device;
