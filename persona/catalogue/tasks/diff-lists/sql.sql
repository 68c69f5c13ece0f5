-- snippet:doc https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-JOIN Joined tables
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE staging (sku text PRIMARY KEY, name text, cents int);
CREATE TABLE product (sku text PRIMARY KEY, name text, cents int);
INSERT INTO product VALUES ('a', 'Tea', 350), ('b', 'Milk', 120), ('c', 'Cup', NULL);
INSERT INTO staging VALUES ('a', 'Tea', 390), ('c', 'Cup', NULL), ('d', 'Pot', 1900), ('e', NULL, NULL);
-- snippet:end
-- PostgreSQL: what would loading the staging table change? Look first, then merge.
SELECT coalesce(new.sku, old.sku) AS sku,
       CASE
         WHEN old.sku IS NULL THEN 'added'
         WHEN new.sku IS NULL THEN 'removed'
         ELSE 'changed'
       END AS difference,
       old.name AS name_before,
       new.name AS name_after,
       old.cents AS cents_before,
       new.cents AS cents_after
FROM staging AS new
FULL JOIN product AS old USING (sku)
-- IS DISTINCT FROM treats NULL as a value: NULL = NULL would never be true.
WHERE (new.sku, new.name, new.cents) IS DISTINCT FROM (old.sku, old.name, old.cents)
ORDER BY sku;
-- snippet:prints a|changed|Tea|Tea|350|390
-- snippet:prints b|removed|Milk||120|
-- snippet:prints d|added||Pot||1900
-- snippet:prints e|added||||
