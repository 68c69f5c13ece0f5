-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/queries-order.html Sorting rows
-- snippet:usage
-- snippet:prints 3|Pay|high|2025-03-07
-- snippet:prints 5|ask|high|
-- snippet:prints 2|call|high|
-- snippet:prints 4|read|normal|2025-03-07
-- snippet:prints 1|write|low|2025-03-09
CREATE TABLE task (id int, title text, priority text, due text);
INSERT INTO task VALUES
  (1, 'write', 'low', '2025-03-09'), (2, 'call', 'high', NULL), (3, 'Pay', 'high', '2025-03-07'),
  (4, 'read', 'normal', '2025-03-07'), (5, 'ask', 'high', NULL);
-- snippet:end
-- SQLite and PostgreSQL: by importance, then the date; what has no date comes last; the id makes
-- the order the same every time.
SELECT id, title, priority, due
FROM task
ORDER BY CASE priority WHEN 'high' THEN 1 WHEN 'normal' THEN 2 ELSE 3 END,
         due ASC NULLS LAST,
         lower(title),
         id;
