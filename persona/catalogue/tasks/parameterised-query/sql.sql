-- snippet:doc https://www.postgresql.org/docs/current/sql-prepare.html PREPARE
-- snippet:about PostgreSQL
-- snippet:description A prepared statement is parsed while its values are only places, `$1` to `$3`, so that none of them can change it.
-- snippet:description Most drivers send the values apart from the statement; `EXECUTE`, which is SQL itself, needs them quoted.
-- snippet:check
CREATE TABLE product (id int PRIMARY KEY, name text NOT NULL, cents int NOT NULL, tags text[] NOT NULL DEFAULT '{}');
INSERT INTO product VALUES (1, 'Green tea', 350, '{drink}'), (2, 'Tea 100% pure', 900, '{drink,organic}'), (3, 'Cup', 800, '{}');
-- snippet:end
-- PostgreSQL: the statement is fixed before it gets a value. A filter that is
-- not wanted is NULL; a list is one array and not a text pasted together.
PREPARE search (text, int, text[]) AS
SELECT id, name, cents
FROM product
WHERE ($1 IS NULL OR strpos(lower(name), lower($1)) > 0)   -- LIKE would give % a meaning
  AND ($2 IS NULL OR cents <= $2)
  AND ($3 IS NULL OR tags @> $3)
ORDER BY cents, id
LIMIT 50;

EXECUTE search ('100%', NULL, ARRAY['organic']);
-- snippet:measures a text that would end the statement stays a value
EXECUTE search ('x'' OR true --', NULL, NULL);
EXECUTE search (NULL, 800, NULL);
-- snippet:prints 2|Tea 100% pure|900
-- snippet:prints 1|Green tea|350
-- snippet:prints 3|Cup|800
