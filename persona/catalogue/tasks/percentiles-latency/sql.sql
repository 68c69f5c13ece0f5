-- snippet:description For each route the mean, the median, the 95th and the 99th percentile of the durations, and the share of
-- snippet:description requests that took at most 300 ms. Each percentile is a duration that was measured.
-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-ORDEREDSET-TABLE Ordered-set aggregates
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE request (route text, ms int);
INSERT INTO request SELECT '/cart', n FROM generate_series(1, 100) AS n;
INSERT INTO request VALUES ('/pay', 12), ('/pay', 14), ('/pay', 13), ('/pay', 900);
-- snippet:end
-- PostgreSQL: what people feel. The mean of /pay is 235 ms, a time that no request took.
SELECT route,
       count(*)                                             AS requests,
       round(avg(ms))                                       AS mean,
       percentile_disc(0.50) WITHIN GROUP (ORDER BY ms)     AS p50,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY ms)     AS p95,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY ms)     AS p99,
       round(100.0 * count(*) FILTER (WHERE ms <= 300) / count(*), 1) AS percent_in_time
FROM request
GROUP BY route
ORDER BY p95 DESC;
-- snippet:prints /pay|4|235|13|900|900|75.0
-- snippet:prints /cart|100|51|50|95|99|100.0
