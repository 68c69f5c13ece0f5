-- snippet:doc https://www.postgresql.org/docs/current/functions-math.html#FUNCTIONS-MATH-RANDOM-TABLE Random functions
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE duration (task text, low float8, likely float8, high float8);
INSERT INTO duration VALUES ('design', 2, 3, 8), ('build', 5, 8, 20), ('test', 2, 4, 9);
\o /dev/null
-- snippet:end
-- PostgreSQL: when will it be done? 10 000 imagined projects from three guesses per task.
SELECT setseed(0.5);                 -- the same draws each time, on the same version
-- snippet:check
\o | cat
-- snippet:end

WITH draw AS MATERIALIZED (
  SELECT trial, low, likely, high, random() AS u
  FROM duration, generate_series(1, 10000) AS trial
  ORDER BY trial, low, likely, high -- or the draws would depend on where the rows lie
), project AS (
  SELECT trial,
         -- triangular distribution: between low and high, most often near the likely value
         sum(CASE WHEN u * (high - low) < likely - low
                  THEN low + sqrt(u * (high - low) * (likely - low))
                  ELSE high - sqrt((1 - u) * (high - low) * (high - likely)) END) AS days
  FROM draw
  GROUP BY trial
)
SELECT round(avg(days)::numeric)                                             AS mean_days,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY days)::numeric)     AS even_odds,
       round(percentile_cont(0.9) WITHIN GROUP (ORDER BY days)::numeric)     AS nine_in_ten
FROM project;
-- snippet:prints 20|20|26
