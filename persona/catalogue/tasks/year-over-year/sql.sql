-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-FROM LEFT JOIN
-- snippet:usage
-- snippet:prints 2026-01|120|20
-- snippet:prints 2026-02|90|
-- snippet:prints 2026-03|50|
-- snippet:prints 2026-05|10|
-- snippet:prints 2026-12|15|50
CREATE TABLE revenue (year integer, month integer, amount integer NOT NULL, PRIMARY KEY (year, month));
INSERT INTO revenue VALUES
  (2025, 1, 100), (2025, 2, 0), (2026, 1, 120), (2026, 2, 90), (2026, 3, 50), (2025, 5, -10), (2026, 5, 10),
  (2025, 12, 10), (2026, 12, 15);
-- snippet:end
-- SQLite and PostgreSQL: growth in percent against the same month a year before. A join and not lag(..., 12),
-- which counts rows: a month without revenue would shift all that follow.
SELECT now.year || '-' || substr(CAST(100 + now.month AS text), 2) AS month,
       now.amount,
       CASE WHEN before.amount > 0
            THEN CAST(round(100.0 * (now.amount - before.amount) / before.amount) AS bigint) END AS growth
FROM revenue AS now
LEFT JOIN revenue AS before ON before.year = now.year - 1 AND before.month = now.month
WHERE now.year = 2026
ORDER BY now.month;
