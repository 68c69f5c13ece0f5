-- snippet:description How fast the disk of each host fills up: the slope of a line by least squares through the measurements, and
-- snippet:description how well it fits. From the slope follows in how many days 500 GB are used.
-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-AGGREGATE-STATISTICS-TABLE Aggregate functions for statistics
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE disk_usage (host text, day date, gigabytes float8);
INSERT INTO disk_usage
SELECT host, date '2025-03-01' + n, base + slope * n
FROM (VALUES ('db1', 400, 5.0), ('web1', 80, 0.25), ('old1', 50, 0), ('tiny1', 0.1, 0)) AS h (host, base, slope), generate_series(0, 9) AS n
UNION ALL SELECT 'db1', date '2025-03-11', NULL;
-- snippet:end
-- PostgreSQL: when is the disk full? A straight line through the measurements of each host.
WITH measured AS (
  SELECT *, gigabytes - min(gigabytes) OVER (PARTITION BY host) AS grown -- 0, not nearly 0, if nothing grows
  FROM disk_usage
), trend AS (
  SELECT host,
         regr_slope(grown, day - date '2025-03-01')  AS per_day,
         regr_r2(grown, day - date '2025-03-01')     AS fit,
         (array_agg(gigabytes ORDER BY day DESC))[1] AS used
  FROM measured
  WHERE gigabytes IS NOT NULL
  GROUP BY host
)
SELECT host,
       round(per_day::numeric, 2) AS gb_per_day,
       round(fit::numeric, 2)     AS fit,
       ceil(greatest(500 - used, 0) / nullif(greatest(per_day, 0), 0)) AS days_left
FROM trend
ORDER BY days_left NULLS LAST, host;
-- snippet:prints db1|5.00|1.00|11
-- snippet:prints web1|0.25|1.00|1671
-- snippet:prints old1|0.00|1.00|
-- snippet:prints tiny1|0.00|1.00|
