-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/tutorial-window.html Window functions
-- snippet:usage
CREATE TABLE score (player text, season int, points int NOT NULL);
INSERT INTO score VALUES
  ('Ana', 1, 80), ('Bo', 1, 95), ('Cy', 1, 95), ('Di', 1, 60),
  ('Ana', 2, 99), ('Bo', 2, 70), ('Cy', 2, 85);
-- snippet:end
-- SQLite and PostgreSQL: the best two of each season, and how each did against the last one played.
WITH ranked AS (
  SELECT season,
         player,
         points,
         rank() OVER best AS place,
         points - lag(points) OVER (PARTITION BY player ORDER BY season) AS change
  FROM score
  WINDOW best AS (PARTITION BY season ORDER BY points DESC)
)
SELECT season, place, player, points, change
FROM ranked
WHERE place <= 2          -- rank() gives ties the same place: there may be more
ORDER BY season, place, player;
-- snippet:prints 1|1|Bo|95|
-- snippet:prints 1|1|Cy|95|
-- snippet:prints 2|1|Ana|99|19
-- snippet:prints 2|2|Cy|85|-10
