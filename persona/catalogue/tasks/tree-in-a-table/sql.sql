-- snippet:doc https://www.sqlite.org/lang_with.html The WITH clause
-- snippet:check
CREATE TABLE part (id integer PRIMARY KEY, parent_id integer REFERENCES part, name text, grams integer);
INSERT INTO part VALUES
  (1, NULL, 'bicycle', 900), (2, 1, 'frame', 2100), (3, 1, 'wheel', 700),
  (4, 3, 'rim', 450), (5, 3, 'tyre', 380), (6, 2, 'bell', 60);
-- snippet:end
-- SQLite and PostgreSQL: a bill of materials, indented, with the weight of all that is below.
WITH RECURSIVE tree AS (
  SELECT id, name, 0 AS depth, name AS path
  FROM part
  WHERE parent_id IS NULL
  UNION ALL
  SELECT child.id, child.name, depth + 1, path || '/' || child.name
  FROM part AS child
  JOIN tree ON child.parent_id = tree.id
  WHERE depth < 20        -- a circle in the data ends here and not never
)
SELECT substr('..........', 1, 2 * depth) || tree.name AS item,
       (SELECT sum(below.grams)
        FROM part AS below
        JOIN tree AS sub ON sub.id = below.id
        WHERE sub.path = tree.path OR sub.path LIKE tree.path || '/%') AS total_grams
FROM tree
ORDER BY path;
-- snippet:prints bicycle|4590
-- snippet:prints ..frame|2160
-- snippet:prints ....bell|60
-- snippet:prints ..wheel|1530
-- snippet:prints ....rim|450
-- snippet:prints ....tyre|380
