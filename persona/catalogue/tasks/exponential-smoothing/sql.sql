-- snippet:doc https://www.sqlite.org/lang_with.html The WITH clause
-- snippet:description Smooth readings with an exponential moving average in a recursive query: each moves the level by a share of
-- snippet:description its distance. Readings that are still far from the level that they have moved are marked as spikes.
-- snippet:about SQLite
-- snippet:usage
CREATE TABLE reading (at INTEGER PRIMARY KEY, celsius REAL);
INSERT INTO reading VALUES (10, 20.0), (20, 20.4), (35, 35.0), (37, NULL), (40, 20.2), (50, 20.3);
-- snippet:end
-- SQLite: each level comes from the one before and the new reading, whose weight decides between
-- quick (0.5) and calm (0.05).
WITH RECURSIVE
settings (weight) AS (VALUES (0.2)),
numbered AS (
  SELECT row_number() OVER (ORDER BY at) AS n, celsius
  FROM reading
  WHERE celsius IS NOT NULL
),
smoothed AS (
  SELECT n, celsius, celsius AS level
  FROM numbered
  WHERE n = 1
  UNION ALL
  SELECT next.n, next.celsius, level + weight * (next.celsius - level)
  FROM smoothed
  JOIN numbered AS next ON next.n = smoothed.n + 1
  CROSS JOIN settings
)
SELECT n,
       celsius,
       round(level, 2) AS level,
       iif(abs(celsius - level) > 5, 'spike', '') AS note
FROM smoothed
ORDER BY n;
-- snippet:prints 1|20.0|20.0|
-- snippet:prints 2|20.4|20.08|
-- snippet:prints 3|35.0|23.06|spike
-- snippet:prints 4|20.2|22.49|
-- snippet:prints 5|20.3|22.05|
