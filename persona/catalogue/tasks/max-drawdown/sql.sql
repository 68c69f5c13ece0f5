-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/tutorial-window.html Window functions
-- snippet:usage
-- snippet:prints 2026-01-03|2026-01-05|25.0
CREATE TABLE price (day text PRIMARY KEY, value numeric NOT NULL);
INSERT INTO price VALUES
  ('2026-01-01', 100), ('2026-01-02', 90), ('2026-01-03', 120), ('2026-01-04', 110), ('2026-01-05', 90),
  ('2026-01-06', 130), ('2026-01-07', 117);
-- snippet:end
-- SQLite and PostgreSQL: the highest value up to each day, and the largest relative fall from it. Values
-- are above zero.
WITH running AS (
  SELECT day, value, max(value) OVER (ORDER BY day) AS high
  FROM price
), worst AS (
  SELECT day, high, 1 - 1.0 * value / high AS loss
  FROM running
  ORDER BY loss DESC, day
  LIMIT 1
)
SELECT (SELECT max(p.day) FROM price AS p WHERE p.value = worst.high AND p.day <= worst.day) AS peak,
       day AS trough,
       round(100 * loss, 1) AS percent
FROM worst;
