-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-AGGREGATES Aggregate expressions
-- snippet:description Count the tickets of each team: all of them, the urgent ones and those still open. The team with
-- snippet:description the most tickets comes first, and a line for all teams last.
-- snippet:usage
-- snippet:prints search|3|1|1
-- snippet:prints mobile|2|1|2
-- snippet:prints billing|1|0|1
-- snippet:prints all teams|6|2|4
CREATE TABLE ticket (team text, severity int, opened date, closed date);
INSERT INTO ticket VALUES
  ('search', 1, '2025-03-01', '2025-03-02'), ('search', 3, '2025-03-01', NULL),
  ('mobile', 2, '2025-03-03', NULL), ('search', 2, '2025-03-04', '2025-03-10'),
  ('mobile', 1, '2025-03-05', NULL), ('billing', 3, '2025-03-06', NULL);
-- snippet:end
-- SQLite and PostgreSQL: several counts, one line per team and one for all of them.
WITH per_team AS (
  SELECT team,
         count(*)                                     AS tickets,
         count(*) FILTER (WHERE severity = 1)         AS urgent,
         count(*) FILTER (WHERE closed IS NULL)       AS still_open
  FROM ticket
  GROUP BY team
), line AS (
  SELECT 1 AS part, team, tickets, urgent, still_open
  FROM per_team
  UNION ALL
  SELECT 2, 'all teams', coalesce(sum(tickets), 0), coalesce(sum(urgent), 0), coalesce(sum(still_open), 0)
  FROM per_team
)
SELECT team, tickets, urgent, still_open
FROM line
ORDER BY part, tickets DESC, team;      -- the largest first, the total last
