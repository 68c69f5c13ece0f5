-- snippet:doc https://www.postgresql.org/docs/current/functions-string.html String functions
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE signup (day date, source text);
INSERT INTO signup SELECT date '2025-03-03' + (n % 5) * (n % 2), 'web' FROM generate_series(1, 60) AS n;
-- snippet:end
-- PostgreSQL: a chart in the query tool, before anybody opens a spreadsheet.
WITH daily AS (
  SELECT day, count(*) AS signups
  FROM signup
  GROUP BY day
)
SELECT to_char(day, 'Dy DD Mon')                                          AS day,
       rpad(repeat('█', (40 * signups / max(signups) OVER ())::int), 40)  AS chart,
       signups
FROM daily
ORDER BY daily.day;
-- snippet:prints Mon 03 Mar|████████████████████████████████████████|36
-- snippet:prints Tue 04 Mar|██████                                  |6
-- snippet:prints Wed 05 Mar|██████                                  |6
-- snippet:prints Thu 06 Mar|██████                                  |6
-- snippet:prints Fri 07 Mar|██████                                  |6
