-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html Aggregate functions with FILTER
-- snippet:usage
-- snippet:prints 2025-12|1|0|0
-- snippet:prints 2026-01|2|50|50
-- snippet:prints 2026-02|1|0|
CREATE TABLE activity (customer text NOT NULL, day text NOT NULL);
INSERT INTO activity VALUES
  ('d', '2025-12-30'), ('a', '2026-01-05'), ('b', '2026-01-20'), ('a', '2026-02-01'), ('a', '2026-02-03'),
  ('c', '2026-02-09'), ('a', '2026-03-10');
-- snippet:end
-- SQLite and PostgreSQL: of the customers who came in a month, the percentage active one and two months later,
-- rounded down; NULL for a month after the newest in the data. Days are texts, such as 2026-03-01.
WITH active AS (
  SELECT DISTINCT customer, CAST(substr(day, 1, 4) AS integer) * 12 + CAST(substr(day, 6, 2) AS integer) - 1 AS month
  FROM activity
), aged AS (
  SELECT customer, month, min(month) OVER (PARTITION BY customer) AS first_month
  FROM active
), cohorts AS (
  SELECT first_month,
         count(*) FILTER (WHERE month = first_month) AS customers,
         count(*) FILTER (WHERE month = first_month + 1) AS one,
         count(*) FILTER (WHERE month = first_month + 2) AS two
  FROM aged
  GROUP BY first_month
)
SELECT (first_month / 12) || '-' || substr(CAST(101 + first_month % 12 AS text), 2) AS cohort,
       customers,
       CASE WHEN first_month + 1 <= newest THEN 100 * one / customers END AS after_1,
       CASE WHEN first_month + 2 <= newest THEN 100 * two / customers END AS after_2
FROM cohorts
CROSS JOIN (SELECT max(month) AS newest FROM active) AS months
ORDER BY first_month;
