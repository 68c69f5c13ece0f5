-- snippet:doc https://dev.mysql.com/doc/refman/en/json-table-functions.html JSON_TABLE
-- snippet:into Run it in mysql -N; here the error has no number, and a bar stands for a tab.
-- snippet:about MySQL
-- snippet:needs MySQL 8
-- MySQL: the items of each order, one a row.
CREATE TABLE purchase (id int PRIMARY KEY, body json NOT NULL);

INSERT INTO purchase VALUES
  (1, '{"items": [{"sku": "tea", "cents": 350}, {"sku": "cup", "cents": 800, "gift": true}]}'),
  (2, '{"items": [{"sku": "tea"}]}');

SELECT p.id, item.number, item.sku, item.cents, item.gift
FROM purchase AS p,
     JSON_TABLE(p.body, '$.items[*]' COLUMNS (
       number FOR ORDINALITY,
       sku    varchar(20) PATH '$.sku'   ERROR ON EMPTY ERROR ON ERROR,
       cents  int         PATH '$.cents' DEFAULT '0' ON EMPTY ERROR ON ERROR,
       gift   int EXISTS  PATH '$.gift' -- 1 where there is such a key, whatever its value
     )) AS item
ORDER BY p.id, item.number;
-- snippet:usage
INSERT INTO purchase VALUES (3, '{"items": [{"sku": "tea", "cents": "many"}]}');
SELECT item.cents
FROM purchase AS p,
     JSON_TABLE(p.body, '$.items[*]' COLUMNS (cents int PATH '$.cents' DEFAULT '0' ON EMPTY ERROR ON ERROR)) AS item
WHERE p.id = 3;
-- snippet:prints 1|1|tea|350|0
-- snippet:prints 1|2|cup|800|1
-- snippet:prints 2|1|tea|0|0
-- snippet:prints Invalid JSON value for CAST to INTEGER from column cents at row 1
