-- snippet:doc https://www.postgresql.org/docs/current/functions-binarystring.html Binary string functions
-- snippet:about PostgreSQL
-- PostgreSQL: the hash of each entry covers the one before it.
CREATE TABLE ledger (
  id     bigint PRIMARY KEY,
  entry  text NOT NULL,
  hash   bytea NOT NULL
);

CREATE FUNCTION link(previous bytea, entry text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || sha256(convert_to(entry, 'UTF8')))
$$;

-- Not LANGUAGE sql: before PostgreSQL 18 it locks the table for the INSERT first, and two writers block each other.
CREATE FUNCTION append(entry text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  added bigint;
BEGIN
  LOCK TABLE ledger IN EXCLUSIVE MODE;     -- one writer at a time: the chain has no branches
  INSERT INTO ledger (id, entry, hash)
  SELECT coalesce(max(id), 0) + 1,
         append.entry,
         link(coalesce((SELECT hash FROM ledger ORDER BY id DESC LIMIT 1), ''), append.entry)
  FROM ledger
  RETURNING id INTO added;
  RETURN added;
END $$;

-- The entries that no longer fit. Keep the last hash elsewhere: a cut off end fits.
CREATE VIEW tampered AS
SELECT id
FROM (SELECT *, lag(hash, 1, '') OVER (ORDER BY id) AS previous FROM ledger) AS chain
WHERE hash <> link(previous, entry);
-- snippet:check
SELECT append(text) FROM unnest(ARRAY['door opened', 'alarm off', 'door closed']) AS text;
SELECT count(*) FROM tampered;
-- snippet:measures a changed or removed entry is found
UPDATE ledger SET entry = 'alarm on' WHERE id = 2;
SELECT id FROM tampered;
UPDATE ledger SET entry = 'alarm off' WHERE id = 2;
DELETE FROM ledger WHERE id = 1;
SELECT id FROM tampered;
-- snippet:prints 1
-- snippet:prints 2
-- snippet:prints 3
-- snippet:prints 0
-- snippet:prints 2
-- snippet:prints 2
