-- snippet:check
-- snippet:doc https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-FROM LEFT JOIN
-- snippet:prints 2026-01|120|20
-- snippet:prints 2026-02|90|
-- snippet:prints 2026-03|50|
CREATE TABLE revenue (year integer NOT NULL, month integer NOT NULL, amount integer NOT NULL, PRIMARY KEY (year, month));
INSERT INTO revenue VALUES (2025, 1, 100), (2025, 2, 0), (2026, 1, 120), (2026, 2, 90), (2026, 3, 50);
-- snippet:end
-- SQLite and PostgreSQL: growth in percent against the same month a year before. A join and not lag(..., 12),
-- which counts rows: a month without revenue would shift all that follow.
SELECT now.year || '-' || substr('0' || now.month, -2) AS month,
       now.amount,
       CAST(round(100.0 * (now.amount - before.amount) / nullif(before.amount, 0)) AS integer) AS growth
FROM revenue AS now
LEFT JOIN revenue AS before ON before.year = now.year - 1 AND before.month = now.month
WHERE now.year = 2026
ORDER BY now.month;
