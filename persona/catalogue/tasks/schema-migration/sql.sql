-- snippet:doc https://www.postgresql.org/docs/current/sql-altertable.html ALTER TABLE
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:description Add a required column to a busy table in steps that can run twice and keep the running release working. The
-- snippet:description column is optional at first, and what enforces it comes when every release fills it.
-- snippet:usage
CREATE TABLE customer (id int PRIMARY KEY, first_name text, last_name text);
INSERT INTO customer SELECT n, 'First' || n, 'Last' || n FROM generate_series(1, 5) AS n;
-- snippet:end
-- PostgreSQL: a required column for a busy table, without a long lock: each statement commits by itself.
-- Give up the attempt rather than let everybody queue behind it.
SET lock_timeout = '2s';

-- 1. Expand: a new column without a rewrite; the running version does not notice.
ALTER TABLE customer ADD COLUMN IF NOT EXISTS full_name text;

-- 2. Once every running version fills it for what it writes: backfill the rest in small batches, repeated by
--    the migration until it updates nothing.
UPDATE customer
SET full_name = concat_ws(' ', first_name, last_name)
WHERE full_name IS NULL -- again: an application may have filled it meanwhile
  AND id IN (SELECT id FROM customer WHERE full_name IS NULL LIMIT 1000);

-- 3. Enforce: NOT VALID looks only at rows that are written;
--    VALIDATE reads the others and lets writers go on.
ALTER TABLE customer
  DROP CONSTRAINT IF EXISTS customer_full_name_present,   -- so that it can run twice
  ADD CONSTRAINT customer_full_name_present CHECK (full_name IS NOT NULL) NOT VALID;
ALTER TABLE customer VALIDATE CONSTRAINT customer_full_name_present;

-- 4. Contract, one release later: ALTER TABLE customer DROP COLUMN first_name, …
-- snippet:usage
SELECT count(*), min(full_name) FROM customer;
SELECT convalidated FROM pg_constraint WHERE conname = 'customer_full_name_present';
-- snippet:prints 5|First1 Last1
-- snippet:prints t
