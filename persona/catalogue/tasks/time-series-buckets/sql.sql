-- snippet:doc https://www.postgresql.org/docs/current/functions-srf.html generate_series
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE reading (sensor text, at timestamptz, value numeric);
INSERT INTO reading VALUES
  ('t1', '2025-03-05 10:02Z', 20), ('t1', '2025-03-05 10:04Z', 21),
  ('t1', '2025-03-05 10:16Z', 25), ('t1', '2025-03-05 10:06Z', 23.5);
-- snippet:end
-- PostgreSQL: means of five minutes. A gap is shown as a gap: no row would be a lie in a chart.
WITH slot AS (
  SELECT start, start + interval '5 minutes' AS stop
  FROM generate_series(
         timestamptz '2025-03-05 10:00Z',
         timestamptz '2025-03-05 10:15Z',
         interval '5 minutes'
       ) AS start
)
SELECT to_char(slot.start AT TIME ZONE 'UTC', 'HH24:MI') AS slot,
       count(r.value)         AS readings,
       round(avg(r.value), 2) AS mean,
       max(r.value)           AS peak
FROM slot
LEFT JOIN reading AS r
  ON r.sensor = 't1'
 AND r.at >= slot.start      -- half open: no reading falls into two slots,
 AND r.at <  slot.stop       -- and an index on (sensor, at) can be used
GROUP BY slot.start
ORDER BY slot.start;
-- snippet:prints 10:00|2|20.50|21
-- snippet:prints 10:05|1|23.50|23.5
-- snippet:prints 10:10|0||
-- snippet:prints 10:15|1|25.00|25
