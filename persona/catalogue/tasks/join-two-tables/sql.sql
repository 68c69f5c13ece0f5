-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/tutorial-join.html Joins between tables
-- snippet:usage
CREATE TABLE customer (id int PRIMARY KEY, name text);
CREATE TABLE purchase (id int PRIMARY KEY, customer_id int, cents int);
INSERT INTO customer VALUES (1, 'Ana'), (2, 'Bo'), (3, 'Cy');
INSERT INTO purchase VALUES (1, 1, 500), (2, 1, 250), (3, 3, 999), (4, 9, 100);
-- snippet:end
-- SQLite and PostgreSQL: every customer, also those who never bought anything.
SELECT c.name,
       count(p.id)                AS purchases,   -- count(*) would give 1 for nobody
       coalesce(sum(p.cents), 0)  AS cents
FROM customer AS c
LEFT JOIN purchase AS p ON p.customer_id = c.id   -- conditions on p belong here, not into WHERE
GROUP BY c.id, c.name
ORDER BY cents DESC, c.name;

-- The other way round: purchases whose customer is unknown. NOT IN would leave out those with a NULL.
SELECT p.id, p.customer_id
FROM purchase AS p
WHERE NOT EXISTS (SELECT 1 FROM customer AS c WHERE c.id = p.customer_id);
-- snippet:prints Cy|1|999
-- snippet:prints Ana|2|750
-- snippet:prints Bo|0|0
-- snippet:prints 4|9
