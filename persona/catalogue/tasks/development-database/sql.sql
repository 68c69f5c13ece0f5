-- snippet:doc https://www.postgresql.org/docs/current/functions-srf.html Set returning functions
-- snippet:into Run it in psql; a schema called demo is replaced.
-- snippet:title Sample data that is the same each time
-- snippet:description Create a schema with a thousand customers and twenty thousand purchases, and no real person. A fixed seed
-- snippet:description gives the same rows on the same version of PostgreSQL; running it again resets them.
-- snippet:about PostgreSQL
-- snippet:why Enough rows to see a slow query, and no real person among them.
-- snippet:check
\o /dev/null
-- snippet:end
-- PostgreSQL: a database to develop with: much data, and no real person.
DROP SCHEMA IF EXISTS demo CASCADE;
CREATE SCHEMA demo;
SET search_path = demo;
SELECT setseed(0.1);                 -- the same "random" rows on the same version

CREATE TABLE customer AS
SELECT n AS id,
       (ARRAY['Ana', 'Bo', 'Cy', 'Di', 'Ed'])[1 + floor(random() * 5)::int] || ' ' || n AS name,
       format('person%s@example.com', n) AS email
FROM generate_series(1, 1000) AS n;

CREATE TABLE purchase AS
SELECT n AS id,
       1 + floor(1000 * power(random(), 3))::int                   AS customer_id,  -- few buy much
       100 + floor(random() * 20000)::int                          AS cents,
       timestamptz '2025-01-01Z' + random() * interval '2160 hours'    AS at
FROM generate_series(1, 20000) AS n;

ALTER TABLE customer ADD PRIMARY KEY (id);
ALTER TABLE purchase ADD PRIMARY KEY (id), ADD FOREIGN KEY (customer_id) REFERENCES customer;
CREATE INDEX ON purchase (customer_id, at);
ANALYZE;
-- snippet:check
\o
SELECT count(*), count(DISTINCT customer_id) > 500 FROM purchase;
-- snippet:prints 20000|t
