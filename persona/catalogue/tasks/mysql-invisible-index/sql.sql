-- snippet:doc https://dev.mysql.com/doc/refman/en/invisible-indexes.html Invisible indexes
-- snippet:about MySQL
-- snippet:needs MySQL 8.0.16
-- snippet:check
CREATE TABLE sale (id int AUTO_INCREMENT PRIMARY KEY, city varchar(20) NOT NULL, cents int NOT NULL, INDEX by_city (city));
INSERT INTO sale (city, cents)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT concat('city', i), i FROM n;
-- snippet:prints snippet.sale|analyze|status|OK
-- snippet:end
-- MySQL: does anybody need by_city? Fresh statistics first, for plans that mean something.
ANALYZE TABLE sale;
ALTER TABLE sale ALTER INDEX by_city INVISIBLE;

-- The plan that everybody gets now, and the one that this session still can have.
EXPLAIN FORMAT=TREE SELECT cents FROM sale WHERE city = 'city7';
SET SESSION optimizer_switch = 'use_invisible_indexes=on';
EXPLAIN FORMAT=TREE SELECT cents FROM sale WHERE city = 'city7';

-- Which ones are waiting for a decision?
SELECT table_name, index_name
FROM information_schema.statistics
WHERE table_schema = database() AND is_visible = 'NO' AND seq_in_index = 1;

-- Somebody complained: back at once.
ALTER TABLE sale ALTER INDEX by_city VISIBLE;
-- snippet:check
SELECT is_visible FROM information_schema.statistics WHERE index_name = 'by_city';
-- snippet:prints -> Filter: (sale.city = 'city7')  (cost=91 rows=1)\n    -> Table scan on sale  (cost=91 rows=900)\n
-- snippet:prints -> Index lookup on sale using by_city (city = 'city7')  (cost=0.35 rows=1)\n
-- snippet:prints sale|by_city
-- snippet:prints YES
