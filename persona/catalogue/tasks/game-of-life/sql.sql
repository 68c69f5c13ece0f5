-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.sqlite.org/lang_with.html The WITH clause
-- snippet:usage
CREATE TABLE alive (x int, y int, PRIMARY KEY (x, y));
INSERT INTO alive VALUES (1, 0), (2, 1), (0, 2), (1, 2), (2, 2);
-- snippet:end
-- SQLite and PostgreSQL: one generation of Conway's Game of Life; the board has no edges.
WITH offsets (d) AS (VALUES (-1), (0), (1)),
neighbour AS (
  SELECT alive.x + dx.d AS x, alive.y + dy.d AS y
  FROM alive
  CROSS JOIN offsets AS dx
  CROSS JOIN offsets AS dy
  WHERE dx.d <> 0 OR dy.d <> 0
)
SELECT n.x, n.y
FROM neighbour AS n
LEFT JOIN alive AS a ON a.x = n.x AND a.y = n.y
GROUP BY n.x, n.y, a.x
HAVING count(*) = 3                            -- birth or survival
    OR (count(*) = 2 AND a.x IS NOT NULL)      -- survival only
ORDER BY n.y, n.x;
-- snippet:prints 0|1
-- snippet:prints 2|1
-- snippet:prints 1|2
-- snippet:prints 2|2
-- snippet:prints 1|3
