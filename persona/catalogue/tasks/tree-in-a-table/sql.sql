-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.sqlite.org/lang_with.html The WITH clause
-- snippet:usage
-- snippet:prints bicycle|4910
-- snippet:prints ..frame|2160
-- snippet:prints ....bell|60
-- snippet:prints ..wheel|1150
-- snippet:prints ....rim|450
-- snippet:prints ..wheel|700
CREATE TABLE part (id integer PRIMARY KEY, parent_id integer REFERENCES part, name text, grams integer);
INSERT INTO part VALUES
  (1, NULL, 'bicycle', 900), (2, 1, 'frame', 2100), (3, 1, 'wheel', 700),
  (4, 3, 'rim', 450), (6, 2, 'bell', 60), (7, 1, 'wheel', 700);
-- snippet:end
-- SQLite and PostgreSQL: a bill of materials, indented, each part with its own weight and that of all
-- below it. The ids have nine digits at most.
WITH RECURSIVE tree AS (
  SELECT id, name, '' AS indent, CAST(1000000000 + id AS text) AS path -- one width: sorts like the tree
  FROM part
  WHERE parent_id IS NULL
  UNION ALL
  SELECT child.id, child.name, indent || '..', path || CAST(1000000000 + child.id AS text)
  FROM part AS child
  JOIN tree ON child.parent_id = tree.id
), contents (whole, id) AS (          -- every part with all that is in it, itself included
  SELECT id, id FROM part
  UNION
  SELECT contents.whole, part.id
  FROM contents
  JOIN part ON part.parent_id = contents.id
)
SELECT indent || tree.name AS item,
       (SELECT sum(part.grams)
        FROM contents
        JOIN part ON part.id = contents.id
        WHERE contents.whole = tree.id) AS total_grams
FROM tree
ORDER BY path;
