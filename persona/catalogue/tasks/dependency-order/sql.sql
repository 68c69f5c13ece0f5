-- snippet:doc https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-RECURSIVE Recursive queries
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE step (name text PRIMARY KEY);
CREATE TABLE needs (step text REFERENCES step, needed text REFERENCES step);
INSERT INTO step VALUES ('install'), ('lint'), ('test'), ('build'), ('deploy'), ('egg'), ('hen'), ('omelette');
INSERT INTO needs VALUES ('lint', 'install'), ('test', 'install'), ('build', 'test'), ('deploy', 'build'), ('deploy', 'lint'), ('egg', 'hen'), ('hen', 'egg'), ('omelette', 'egg');
-- snippet:end
-- PostgreSQL: in which stage can each step run? One after the longest chain of what it needs. A
-- chain longer than there are steps goes round in a circle: those get no stage. Both columns of
-- needs refer to step, and neither is ever NULL.
WITH RECURSIVE chain (step, stage) AS (
  SELECT name, 1
  FROM step
  UNION                     -- not ALL: each step once per length, however many ways lead there
  SELECT needs.step, chain.stage + 1
  FROM needs
  JOIN chain ON chain.step = needs.needed
  WHERE chain.stage <= (SELECT count(*) FROM step)
), latest AS (
  SELECT step, max(stage) AS stage
  FROM chain
  GROUP BY step
)
SELECT CASE WHEN stage <= (SELECT count(*) FROM step) THEN stage END AS stage,
       string_agg(step, ', ' ORDER BY step) AS steps
FROM latest
GROUP BY 1
ORDER BY 1 NULLS LAST;
-- snippet:prints 1|install
-- snippet:prints 2|lint, test
-- snippet:prints 3|build
-- snippet:prints 4|deploy
-- snippet:prints |egg, hen, omelette
