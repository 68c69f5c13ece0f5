-- snippet:doc https://www.postgresql.org/docs/current/using-explain.html Using EXPLAIN
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY, customer_id int, status text, placed_at timestamptz);
INSERT INTO orders (customer_id, status, placed_at)
SELECT n % 1000, CASE WHEN n % 100 = 0 THEN 'open' ELSE 'shipped' END, timestamptz '2025-01-01' + n * interval '1 minute'
FROM generate_series(1, 20000) AS n;
\o /dev/null
-- snippet:end
-- PostgreSQL: 1. Look before you guess: a "Seq Scan" that removes most rows wants an index.
EXPLAIN (ANALYZE, BUFFERS)
SELECT id, placed_at
FROM orders
WHERE customer_id = 42 AND status = 'open'
ORDER BY placed_at DESC
LIMIT 20;

-- 2. Equality first, then the order: the index finds the rows already sorted. The WHERE keeps
--    it small, as long as few orders are open.
CREATE INDEX CONCURRENTLY orders_open_by_customer
ON orders (customer_id, placed_at DESC)
WHERE status = 'open';

-- 3. Look again, with the statement of 1: is the new index used, and the Sort gone?

-- 4. Indexes make writes slower: which of them has nobody used since this server last reset
--    its counters? Unique ones also hold a rule, and a replica counts its own.
SELECT indexrelname AS index, relname AS on_table, pg_relation_size(indexrelid) AS bytes
FROM pg_stat_user_indexes
JOIN pg_index USING (indexrelid)
WHERE idx_scan = 0 AND NOT indisunique
ORDER BY bytes DESC;
-- snippet:check
\o
ANALYZE orders;
SELECT indisvalid FROM pg_index WHERE indexrelid = 'orders_open_by_customer'::regclass;
-- snippet:prints t
