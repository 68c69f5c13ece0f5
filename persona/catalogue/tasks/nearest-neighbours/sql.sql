-- snippet:doc https://www.postgresql.org/docs/current/functions-geometry.html Geometric functions and operators
-- snippet:about PostgreSQL
-- snippet:title The nearest places for each guest
-- snippet:description Find the two nearest stations for each guest, and how far away they are. The index can hand the stations out in
-- snippet:description order of distance, so that not all of them need to be measured.
-- snippet:why The nearest few can be found without measuring the distance to all.
-- snippet:check
CREATE TABLE station (name text, at point);
INSERT INTO station VALUES ('Harbour', '(1, 2)'), ('Museum', '(4, 6)'), ('Airport', '(20, 3)'), ('Park', '(3, 3)'), ('Closed', NULL);
CREATE INDEX station_at ON station USING gist (at);
CREATE TABLE guest (id int, at point);
INSERT INTO guest VALUES (1, '(2, 2)'), (2, '(15, 4)'), (3, NULL);
-- snippet:end
-- PostgreSQL: the two nearest stations for each guest. The GiST index on station (at) can hand
-- them out in order of distance, without measuring all the others.
SELECT g.id,
       near.name,
       round(near.distance::numeric, 2) AS distance
FROM guest AS g
CROSS JOIN LATERAL (
  SELECT s.name, s.at <-> g.at AS distance
  FROM station AS s
  WHERE s.at IS NOT NULL
  ORDER BY s.at <-> g.at
  LIMIT 2
) AS near
WHERE g.at IS NOT NULL -- without a place, any station would do
ORDER BY g.id, near.distance;
-- snippet:prints 1|Harbour|1.00
-- snippet:prints 1|Park|1.41
-- snippet:prints 2|Airport|5.10
-- snippet:prints 2|Museum|11.18
