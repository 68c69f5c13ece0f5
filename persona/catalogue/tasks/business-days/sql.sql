-- snippet:doc https://www.postgresql.org/docs/current/functions-srf.html Set returning functions
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE holiday (day date PRIMARY KEY);
INSERT INTO holiday VALUES ('2025-04-18'), ('2025-04-21'), ('2025-05-01');
CREATE TABLE ticket (id int, opened date, closed date);
INSERT INTO ticket VALUES (1, '2025-04-14', '2025-05-05'), (2, '2025-04-17', '2025-04-22'), (3, '2025-04-19', '2025-04-20');
-- snippet:end
-- PostgreSQL: working days from opened up to, but not including, closed.
SELECT t.id,
       t.closed - t.opened AS calendar_days,
       count(d.day)        AS working_days
FROM ticket AS t
LEFT JOIN LATERAL (
  SELECT open_day::date AS day
  FROM generate_series(t.opened::timestamp, t.closed - 1, interval '1 day') AS open_day
  WHERE extract(isodow FROM open_day) < 6
    AND NOT EXISTS (SELECT 1 FROM holiday WHERE holiday.day = open_day::date)
) AS d ON true
WHERE t.closed IS NOT NULL -- an open ticket has no end yet
GROUP BY t.id, t.opened, t.closed
ORDER BY t.id;
-- snippet:prints 1|21|12
-- snippet:prints 2|5|1
-- snippet:prints 3|1|0
