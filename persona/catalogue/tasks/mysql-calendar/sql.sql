-- snippet:doc https://dev.mysql.com/doc/refman/en/with.html WITH
-- snippet:about MySQL
-- snippet:needs MySQL 8
-- snippet:check
CREATE TABLE sale (sold_at datetime NOT NULL, cents int NOT NULL);
INSERT INTO sale VALUES ('2026-02-27 09:00:00', 700), ('2026-02-27 18:30:00', 300), ('2026-03-01 23:59:59', 500), ('2026-03-02 00:00:00', 900);
-- snippet:end
-- MySQL: sales by day; for more than 1000 days raise cte_max_recursion_depth.
SET @first = DATE '2026-02-27', @last = DATE '2026-03-01';

WITH RECURSIVE day (d) AS (
  SELECT CAST(@first AS date) -- a variable keeps it as a text
  UNION ALL
  SELECT d + INTERVAL 1 DAY FROM day WHERE d < @last
), by_day AS (
  SELECT day.d, coalesce(sum(sale.cents), 0) AS cents
  FROM day
  -- A range and not date(sold_at): so an index on sold_at can be used.
  LEFT JOIN sale ON sale.sold_at >= day.d AND sale.sold_at < day.d + INTERVAL 1 DAY
  GROUP BY day.d
)
SELECT d, cents, round(avg(cents) OVER week) AS mean, count(*) OVER week AS days
FROM by_day
WINDOW week AS (ORDER BY d ROWS 6 PRECEDING)
ORDER BY d;
-- snippet:prints 2026-02-27|1000|1000|1
-- snippet:prints 2026-02-28|0|500|2
-- snippet:prints 2026-03-01|500|500|3
