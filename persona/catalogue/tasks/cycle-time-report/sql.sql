-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-ORDEREDSET-TABLE Ordered-set aggregates
-- snippet:needs PostgreSQL 14
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE ticket (id int, kind text, started timestamptz, done timestamptz);
INSERT INTO ticket VALUES
  (1, 'bug', '2025-03-03', '2025-03-04'), (2, 'bug', '2025-03-03', '2025-03-12'), (3, 'feature', '2025-03-04', '2025-03-07'),
  (4, 'bug', '2025-03-05', '2025-03-06 12:00'), (5, 'feature', '2025-03-10', '2025-03-21'), (6, 'bug', '2025-03-11', NULL),
  (7, 'chore', '2025-03-03 08:00', '2025-03-04 06:48'), (8, 'chore', '2025-03-03 08:00', '2025-03-04 09:12');
-- snippet:end
-- PostgreSQL: how long did finished work take? At least 85 of 100 tickets took promise_days or less,
-- to a tenth of a day. The columns started and done are timestamps.
WITH finished AS (
  SELECT kind,
         extract(epoch FROM done - started) / 86400 AS days
  FROM ticket
  WHERE done IS NOT NULL
)
SELECT CASE WHEN grouping(kind) = 1 THEN 'all' ELSE kind END                      AS kind,
       count(days)                                                              AS finished,
       round(percentile_cont(0.50) WITHIN GROUP (ORDER BY days)::numeric, 1)    AS typical_days,
       round(percentile_disc(0.85) WITHIN GROUP (ORDER BY days), 1)             AS promise_days
FROM finished
GROUP BY ROLLUP (kind)
ORDER BY grouping(finished.kind), finished.kind;
-- snippet:prints bug|3|1.5|9.0
-- snippet:prints chore|2|1.0|1.1
-- snippet:prints feature|2|7.0|11.0
-- snippet:prints all|7|1.5|9.0
