-- snippet:doc https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-CYCLE Cycle detection
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE step (name text PRIMARY KEY);
CREATE TABLE needs (step text, needed text);
INSERT INTO step VALUES ('install'), ('lint'), ('test'), ('build'), ('deploy');
INSERT INTO needs VALUES ('lint', 'install'), ('test', 'install'), ('build', 'test'), ('deploy', 'build'), ('deploy', 'lint');
-- snippet:end
-- PostgreSQL: in which stage can each step run? One after the longest chain of what it needs.
WITH RECURSIVE chain AS (
  SELECT name AS step, 1 AS stage
  FROM step
  WHERE NOT EXISTS (SELECT 1 FROM needs WHERE needs.step = step.name)
  UNION ALL
  SELECT needs.step, chain.stage + 1
  FROM needs
  JOIN chain ON chain.step = needs.needed
) CYCLE step SET is_cycle USING path
SELECT stage, string_agg(step, ', ' ORDER BY step) AS steps
FROM (
  SELECT step, max(stage) AS stage
  FROM chain
  WHERE NOT is_cycle
  GROUP BY step
) AS latest
GROUP BY stage
ORDER BY stage;
-- snippet:prints 1|install
-- snippet:prints 2|lint, test
-- snippet:prints 3|build
-- snippet:prints 4|deploy
