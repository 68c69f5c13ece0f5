-- snippet:doc https://www.postgresql.org/docs/current/sql-delete.html DELETE
-- snippet:title Remove duplicates, keep the best record
-- snippet:description Delete the rows that mean the same person after spaces and upper case are ignored, and return what was
-- snippet:description deleted. A row with a name beats one without, then the newer one stays. A unique index keeps new duplicates
-- snippet:description out.
-- snippet:check
CREATE TABLE contact (id int PRIMARY KEY, email text, name text, updated_at text);
INSERT INTO contact VALUES
  (1, 'ana@example.com', 'Ana', '2025-01-03'), (2, 'bo@example.com', 'Bo', '2025-01-01'),
  (3, ' Ana@Example.com', 'Ana Maria', '2025-02-11'), (4, 'bo@example.com', NULL, '2025-02-01');
-- snippet:end
-- SQLite and PostgreSQL: one row per person. A row with a name beats one without, then the newer.
WITH ranked AS (
  SELECT id,
         row_number() OVER (
           PARTITION BY lower(trim(email))
           ORDER BY name IS NULL, updated_at DESC, id DESC
         ) AS choice
  FROM contact
)
DELETE FROM contact
WHERE id IN (SELECT id FROM ranked WHERE choice > 1)
RETURNING id, email, name;

-- And so that it stays clean:
CREATE UNIQUE INDEX contact_email_once ON contact (lower(trim(email)));
-- snippet:check
SELECT id, name FROM contact ORDER BY id;
-- snippet:prints 1|ana@example.com|Ana
-- snippet:prints 4|bo@example.com|
-- snippet:prints 2|Bo
-- snippet:prints 3|Ana Maria
