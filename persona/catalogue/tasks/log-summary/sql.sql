-- snippet:description For each hour with requests in an access log, from a given time on: how many there were, and how many of them
-- snippet:description were answered with a server error. Their share and the path that failed most often stand beside them.
-- snippet:doc https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-TRUNC date_trunc
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE access_log (at timestamptz, path text, status int);
INSERT INTO access_log VALUES
  ('2025-03-05 09:59Z', '/', 200), ('2025-03-05 10:00Z', '/pay', 502), ('2025-03-05 10:10Z', '/cart', 500),
  ('2025-03-05 10:59Z', '/pay', 503), ('2025-03-05 10:59Z', '/pay', 200);
-- snippet:end
-- PostgreSQL: since when, how much, and where: errors per hour with the worst path.
SELECT to_char(date_trunc('hour', at AT TIME ZONE 'UTC'), 'YYYY-MM-DD HH24:00') AS hour,
       count(*)                                                                 AS requests,
       count(*) FILTER (WHERE status >= 500)                                    AS errors,
       round(100.0 * count(*) FILTER (WHERE status >= 500) / count(*), 1)       AS percent,
       mode() WITHIN GROUP (ORDER BY CASE WHEN status >= 500 THEN path END)     AS worst_path
FROM access_log -- at timestamptz, path text, status int
WHERE at >= timestamptz '2025-03-05 00:00Z'
GROUP BY hour
ORDER BY hour;
-- snippet:prints 2025-03-05 09:00|1|0|0.0|
-- snippet:prints 2025-03-05 10:00|4|3|75.0|/pay
