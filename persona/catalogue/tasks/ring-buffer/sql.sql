-- snippet:description Keep the last thousand readings of each sensor, and no more. A trigger writes each new reading to the slot of
-- snippet:description the oldest one.
-- snippet:doc https://www.sqlite.org/lang_createtrigger.html CREATE TRIGGER
-- snippet:why The last readings of each sensor are there, however long it runs.
-- snippet:needs SQLite 3.37
-- snippet:about SQLite
-- SQLite: the last 1000 readings of each sensor on a device whose flash must not fill up.
CREATE TABLE reading (
  sensor  TEXT    NOT NULL,
  slot    INTEGER NOT NULL,       -- 0 to 999, used again and again
  at      INTEGER NOT NULL,
  value   REAL    NOT NULL,
  PRIMARY KEY (sensor, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE head (sensor TEXT PRIMARY KEY, written INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE VIEW new_reading AS SELECT sensor, at, value FROM reading;

-- INSERT INTO new_reading overwrites the oldest row: a sensor has 1000 rows at most.
CREATE TRIGGER keep_the_last INSTEAD OF INSERT ON new_reading
BEGIN
  INSERT INTO head VALUES (new.sensor, 1)
  ON CONFLICT (sensor) DO UPDATE SET written = written + 1;

  INSERT INTO reading
  SELECT new.sensor, (written - 1) % 1000, new.at, new.value FROM head WHERE sensor = new.sensor
  ON CONFLICT (sensor, slot) DO UPDATE SET at = excluded.at, value = excluded.value;
END;
-- snippet:usage
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
INSERT INTO new_reading SELECT 't1', i, i / 10.0 FROM n;
SELECT count(*), min(at), max(at) FROM reading;
-- snippet:prints 1000|1501|2500
