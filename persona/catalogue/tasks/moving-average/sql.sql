-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:description The mean of each day and up to six rows before it, and a note at days with more than twice the mean of
-- snippet:description those rows. A window slides along the rows in the order of the days.
-- snippet:doc https://www.sqlite.org/windowfunctions.html Window functions
-- snippet:usage
-- snippet:prints 2025-03-01|120|120.0|
-- snippet:prints 2025-03-02|132|126.0|
-- snippet:prints 2025-03-03|101|117.7|
-- snippet:prints 2025-03-04|390|185.8|unusual
-- snippet:prints 2025-03-05|134|175.4|
CREATE TABLE visit (day text PRIMARY KEY, visitors int);
INSERT INTO visit VALUES
  ('2025-03-01', 120), ('2025-03-02', 132), ('2025-03-03', 101), ('2025-03-04', 390), ('2025-03-05', 134);
-- snippet:end
-- SQLite and PostgreSQL: smooth the week, and mark the days that stand out.
SELECT day,
       visitors,
       round(avg(visitors) OVER week, 1) AS week_mean,
       CASE
         WHEN visitors > 2 * avg(visitors) OVER before THEN 'unusual'
         ELSE ''
       END AS note
FROM visit
WINDOW week   AS (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW),
       before AS (ORDER BY day ROWS BETWEEN 6 PRECEDING AND 1 PRECEDING)
ORDER BY day;
