-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.sqlite.org/lang_aggfunc.html Aggregate functions
-- snippet:usage
CREATE TABLE grade (student text, assignment text, points int, maximum int, weight int);
INSERT INTO grade VALUES
  ('Ana', 'essay', 18, 20, 2), ('Ana', 'exam', 70, 100, 5),
  ('Bo', 'essay', 12, 20, 2), ('Bo', 'exam', 91, 100, 5), ('Cy', 'essay', 20, 20, 2);
-- snippet:end
-- SQLite and PostgreSQL: the weighted result of each student, who has one row at most for an assignment.
-- What was not handed in counts as 0; who handed in nothing, and what nobody handed in, has no row and is left out.
WITH assignment AS (
  SELECT DISTINCT assignment, maximum, weight FROM grade
), result AS (
  SELECT s.student,
         round(sum(a.weight * 100.0 * coalesce(g.points, 0) / a.maximum) / sum(a.weight), 1) AS percent,
         count(*) - count(g.points) AS missing
  FROM (SELECT DISTINCT student FROM grade) AS s
  CROSS JOIN assignment AS a
  LEFT JOIN grade AS g ON g.student = s.student AND g.assignment = a.assignment
  GROUP BY s.student
)
SELECT student,
       percent,
       missing,
       CASE WHEN percent >= 80 THEN 'A' WHEN percent >= 60 THEN 'B' ELSE 'repeat' END AS mark
FROM result
ORDER BY percent DESC, student;
-- snippet:prints Bo|82.1|0|A
-- snippet:prints Ana|75.7|0|B
-- snippet:prints Cy|28.6|1|repeat
