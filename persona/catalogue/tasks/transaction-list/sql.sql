-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.sqlite.org/windowfunctions.html Window functions
-- snippet:title A statement with the balance after each booking
-- snippet:description A window function adds up the bookings in their order, so that each row has the balance after it. A
-- snippet:description balance below zero is noted in words.
-- snippet:why The balance after any booking can be looked up, and recomputed.
-- snippet:usage
CREATE TABLE booking (id int PRIMARY KEY, day text, text text, cents int);
INSERT INTO booking VALUES
  (1, '2025-03-01', 'salary', 250000), (2, '2025-03-01', 'rent', -90000), (3, '2025-03-04', 'groceries', -5430),
  (4, '2025-03-09', 'bicycle', -160000);
-- snippet:end
-- SQLite and PostgreSQL: a statement with the balance after each booking. The id puts the bookings
-- of one day in order; ROWS, because the default gives rows of equal rank the same sum.
SELECT day,
       text,
       cents,
       sum(cents) OVER so_far AS balance,
       CASE WHEN sum(cents) OVER so_far < 0 THEN 'overdrawn' ELSE '' END AS note
FROM booking
WINDOW so_far AS (ORDER BY day, id ROWS UNBOUNDED PRECEDING)
ORDER BY day, id;
-- snippet:prints 2025-03-01|salary|250000|250000|
-- snippet:prints 2025-03-01|rent|-90000|160000|
-- snippet:prints 2025-03-04|groceries|-5430|154570|
-- snippet:prints 2025-03-09|bicycle|-160000|-5430|overdrawn
