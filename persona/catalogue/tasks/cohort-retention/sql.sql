-- snippet:check
-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html Aggregate functions with FILTER
-- snippet:prints 2026-01|2|50|50
-- snippet:prints 2026-02|1|0|0
CREATE TABLE activity (customer text NOT NULL, day text NOT NULL);
INSERT INTO activity VALUES ('a', '2026-01-05'), ('b', '2026-01-20'), ('a', '2026-02-01'), ('a', '2026-02-03'), ('c', '2026-02-09'), ('a', '2026-03-10');
-- snippet:end
-- SQLite and PostgreSQL: of the customers who came in a month, the percentage active one and two months later.
WITH active AS (
  SELECT DISTINCT customer, CAST(substr(day, 1, 4) AS integer) * 12 + CAST(substr(day, 6, 2) AS integer) - 1 AS month
  FROM activity
), aged AS (
  SELECT customer, month, min(month) OVER (PARTITION BY customer) AS first_month
  FROM active
)
SELECT (first_month / 12) || '-' || substr('0' || (first_month % 12 + 1), -2) AS cohort,
       count(*) FILTER (WHERE month = first_month) AS customers,
       100 * count(*) FILTER (WHERE month = first_month + 1) / count(*) FILTER (WHERE month = first_month) AS after_1,
       100 * count(*) FILTER (WHERE month = first_month + 2) / count(*) FILTER (WHERE month = first_month) AS after_2
FROM aged
GROUP BY first_month
ORDER BY first_month;
