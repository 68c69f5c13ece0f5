-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/functions-conditional.html CASE
-- snippet:usage
-- snippet:prints costs|missed|115
-- snippet:prints fee|near|110
-- snippet:prints sales|near|95
-- snippet:prints new clients|met|103
-- snippet:prints result|met|80
-- snippet:prints pilots|no target|
CREATE TABLE figure (
  name text PRIMARY KEY, reached numeric NOT NULL, target numeric NOT NULL, less_is_better boolean NOT NULL
);
INSERT INTO figure VALUES
  ('sales', 95, 100, FALSE), ('costs', 115, 100, TRUE), ('new clients', 103, 100, FALSE),
  ('pilots', 3, 0, FALSE), ('result', -80, -100, FALSE), ('fee', 1.1, 1, TRUE);
-- snippet:end
-- SQLite and PostgreSQL: the worst first. Near means within ten percent on the wrong side.
WITH judged AS (
  SELECT name,
         round(100.0 * reached / nullif(target, 0)) AS percent,
         round(1.0 * CASE WHEN less_is_better THEN reached - target ELSE target - reached END
               / nullif(abs(target), 0), 9) AS shortfall -- rounded: SQLite has 0.1 in binary
  FROM figure
)
SELECT name,
       CASE
         WHEN shortfall IS NULL THEN 'no target'
         WHEN shortfall <= 0 THEN 'met'
         WHEN shortfall <= 0.1 THEN 'near'
         ELSE 'missed'
       END AS status,
       CAST(percent AS bigint) AS percent
FROM judged
ORDER BY shortfall DESC NULLS LAST, name;
