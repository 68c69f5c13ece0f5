-- snippet:doc https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL Arbitrary precision numbers
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE share_holder (name text, shares int);
INSERT INTO share_holder VALUES ('Ana', 2), ('Bo', 4), ('Cy', 1), ('Di', NULL);
-- snippet:end
-- PostgreSQL: split 100.00 by shares so that the parts add up. Largest remainder: the cents that
-- rounding down loses go to those who lost most.
WITH part AS (
  SELECT name,
         10000.0 * shares / sum(shares) OVER ()           AS exact_cents,
         floor(10000.0 * shares / sum(shares) OVER ())    AS cents
  FROM share_holder
  WHERE shares > 0
), ordered AS (
  SELECT name,
         cents,
         10000 - sum(cents) OVER ()                       AS left_over,
         row_number() OVER (ORDER BY exact_cents - cents DESC, name) AS turn
  FROM part
)
SELECT name,
       ((cents + CASE WHEN turn <= left_over THEN 1 ELSE 0 END) / 100)::numeric(12, 2) AS amount
FROM ordered
ORDER BY name;
-- snippet:prints Ana|28.57
-- snippet:prints Bo|57.14
-- snippet:prints Cy|14.29
