-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/sql-delete.html DELETE
-- snippet:description Of the rows with the same address, whatever its upper case and the spaces around it, keep the best
-- snippet:description and return what was deleted. A row with a name beats one without, then the newer one stays. A
-- snippet:description unique index keeps new duplicates out.
-- snippet:title Remove duplicates, keep the best record
-- snippet:needs SQLite 3.35
-- snippet:usage
-- snippet:prints 1|ana@example.com|Ana
-- snippet:prints 4|bo@example.com|
CREATE TABLE contact (id int PRIMARY KEY, email text, name text, updated_at text);
INSERT INTO contact VALUES
  (1, 'ana@example.com', 'Ana', '2025-01-03'), (2, 'bo@example.com', 'Bo', '2025-01-01'),
  (3, ' Ana@Example.com', 'Ana Maria', '2025-02-11'), (4, 'bo@example.com', ' ', '2025-02-01'),
  (5, NULL, 'Cy', '2025-01-01'), (6, NULL, 'Di', '2025-01-01'),
  (7, ' ', 'Ed', '2025-01-01'), (8, '', 'Fay', '2025-01-01');
-- snippet:end
-- SQLite and PostgreSQL: one row per address. A row with a name beats one without, then the newer.
-- SQLite's lower() knows ASCII letters only.
WITH ranked AS (
  SELECT id,
         row_number() OVER (
           PARTITION BY lower(trim(email))
           ORDER BY coalesce(trim(name), '') = '', updated_at DESC NULLS LAST, id DESC
         ) AS choice
  FROM contact
  WHERE trim(email) <> ''  -- without an address, nothing says that two are the same
)
DELETE FROM contact
WHERE id IN (SELECT id FROM ranked WHERE choice > 1)
RETURNING id, email, name;

-- And so that it stays clean:
CREATE UNIQUE INDEX contact_email_once ON contact (lower(trim(email))) WHERE trim(email) <> '';
-- snippet:check
-- snippet:prints 2|Bo
-- snippet:prints 3|Ana Maria
-- snippet:prints 5|Cy
-- snippet:prints 6|Di
-- snippet:prints 7|Ed
-- snippet:prints 8|Fay
SELECT id, name FROM contact ORDER BY id;
