-- snippet:doc https://www.sqlite.org/rtree.html The R*Tree module
-- snippet:title Find overlapping boxes with an R*Tree
-- snippet:description Find the boxes that overlap the player with an R*Tree index, which looks only at the neighbourhood. Boxes
-- snippet:description that only touch are apart, as long as coordinates are whole numbers up to 16 million.
-- snippet:why An index spares the comparison with what is far away.
-- snippet:about SQLite
-- SQLite: which boxes overlap the player? The R*Tree index looks at the neighbourhood only. It keeps
-- 32-bit floats, rounded outwards: whole numbers up to 16 million are exact.
CREATE VIRTUAL TABLE box USING rtree (
  id, min_x, max_x, min_y, max_y,
  +name TEXT                        -- carried along, not indexed
);

INSERT INTO box (id, min_x, max_x, min_y, max_y, name) VALUES
  (1, 10, 26, 10, 26, 'player'),
  (2, 20, 60, 20, 30, 'floor'),
  (3, 26, 40, 10, 14, 'wall'),
  (4, 90, 99, 90, 99, 'coin');

SELECT other.name
FROM box AS me
JOIN box AS other
  ON other.min_x < me.max_x AND other.max_x > me.min_x
 AND other.min_y < me.max_y AND other.max_y > me.min_y
 AND other.id <> me.id
WHERE me.id = 1 -- not me.name, which no index finds
ORDER BY other.name;
-- snippet:prints floor
