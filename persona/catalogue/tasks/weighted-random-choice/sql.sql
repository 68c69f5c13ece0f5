-- snippet:doc https://www.postgresql.org/docs/current/functions-math.html#FUNCTIONS-MATH-RANDOM-TABLE Random functions
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE loot (name text PRIMARY KEY, weight int NOT NULL CHECK (weight > 0));
INSERT INTO loot VALUES ('common', 70), ('legendary', 5), ('rare', 25);
\o /dev/null
-- snippet:end
-- PostgreSQL: draw ten items; each as often as its weight says. The bounds form one ruler from
-- 0 to 1, and a random number falls into exactly one stretch of it.
SELECT setseed(0.42);                -- the same draws each time, on the same version
-- snippet:check
\o | cat
-- snippet:end

WITH ruler AS (
  SELECT name,
         (sum(weight) OVER upward - weight)::float8 / sum(weight) OVER () AS lower,
         sum(weight) OVER upward::float8 / sum(weight) OVER ()            AS upper
  FROM loot
  WINDOW upward AS (ORDER BY name)
), draw AS MATERIALIZED (          -- each random number is drawn once
  SELECT n, random() AS r
  FROM generate_series(1, 10) AS n
)
SELECT name, count(*) AS drawn
FROM draw
JOIN ruler ON r >= lower AND r < upper
GROUP BY name
ORDER BY name;
-- snippet:prints common|7
-- snippet:prints legendary|1
-- snippet:prints rare|2
