-- snippet:doc https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-AGGREGATES Aggregate expressions
-- snippet:check
CREATE TABLE ticket (team text, severity int, opened date, closed date);
INSERT INTO ticket VALUES
  ('search', 1, '2025-03-01', '2025-03-02'), ('search', 3, '2025-03-01', NULL),
  ('mobile', 2, '2025-03-03', NULL), ('search', 2, '2025-03-04', '2025-03-10'), ('mobile', 1, '2025-03-05', NULL);
-- snippet:end
-- SQLite and PostgreSQL: several counts in one pass, one line per team and one for all of them.
WITH per_team AS (
  SELECT team,
         count(*)                                     AS tickets,
         count(*) FILTER (WHERE severity = 1)         AS urgent,
         count(*) FILTER (WHERE closed IS NULL)       AS still_open
  FROM ticket
  GROUP BY team
  HAVING count(*) >= 2
)
SELECT team, tickets, urgent, still_open
FROM per_team
UNION ALL
SELECT 'all teams', sum(tickets), sum(urgent), sum(still_open)
FROM per_team
ORDER BY tickets, team;
-- snippet:prints mobile|2|1|2
-- snippet:prints search|3|1|1
-- snippet:prints all teams|5|2|3
