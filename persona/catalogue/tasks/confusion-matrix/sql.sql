-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-AGGREGATES Aggregate expressions
-- snippet:usage
-- snippet:prints ham|0.75|0.75
-- snippet:prints spam|0.67|0.67
CREATE TABLE prediction (actual text, predicted text);
INSERT INTO prediction VALUES
  ('spam', 'spam'), ('ham', 'ham'), ('spam', 'ham'), ('ham', 'ham'), ('ham', 'spam'), ('spam', 'spam'),
  ('ham', 'ham'), (NULL, NULL);
-- snippet:end
-- SQLite and PostgreSQL: precision and recall per label, straight from the table of predictions.
WITH label AS (
  SELECT actual AS name FROM prediction
  UNION
  SELECT predicted FROM prediction
), tally AS (
  SELECT name,
         count(*) FILTER (WHERE actual = name AND predicted = name) AS hits,
         count(*) FILTER (WHERE predicted = name)                   AS guessed,
         count(*) FILTER (WHERE actual = name)                      AS present
  FROM label
  CROSS JOIN prediction
  GROUP BY name
)
SELECT name,
       round(1.0 * hits / nullif(guessed, 0), 2) AS "precision",
       round(1.0 * hits / nullif(present, 0), 2) AS recall
FROM tally
WHERE name IS NOT NULL
ORDER BY name;
