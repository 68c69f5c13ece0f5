-- snippet:description Take apart the JSON bodies of messages, one row for each item. Bodies that are no JSON, and those whose order
-- snippet:description or items have another type, are kept with the reason in a table of their own.
-- snippet:doc https://www.sqlite.org/json1.html JSON functions and operators
-- snippet:about SQLite
-- snippet:usage
CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
INSERT INTO message (body) VALUES
  ('{"order": 7, "items": [{"sku": "tea", "quantity": 2}, {"sku": "cup", "quantity": 1}]}'),
  ('{"order": "eight"}'), ('{oops'), ('{"order": 9, "items": []}'),
  ('{"order": 10, "items": ["tea"]}');
-- snippet:end
-- snippet:needs SQLite 3.38
-- SQLite: take apart what is right, keep what is wrong where somebody will look at it.
CREATE TABLE rejected (message_id INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT;

INSERT INTO rejected
SELECT id,
       CASE
         WHEN NOT json_valid(body)                           THEN 'not JSON'
         WHEN json_type(body, '$.order') IS NOT 'integer'    THEN 'order: expected an integer'
         WHEN json_type(body, '$.items') IS NOT 'array'      THEN 'items: expected an array'
         WHEN EXISTS (SELECT 1 FROM json_each(body, '$.items') WHERE type <> 'object')
                                                             THEN 'items: expected objects'
       END AS reason
FROM message
WHERE reason IS NOT NULL
ON CONFLICT DO NOTHING; -- kept already, when it runs again for new messages

SELECT m.body ->> '$.order'      AS "order",
       item.value ->> '$.sku'    AS sku,
       item.value ->> '$.quantity' AS quantity
FROM message AS m, json_each(m.body, '$.items') AS item
WHERE m.id NOT IN (SELECT message_id FROM rejected)
ORDER BY m.id, item.key;
-- snippet:usage
SELECT * FROM rejected;
-- snippet:prints 7|tea|2
-- snippet:prints 7|cup|1
-- snippet:prints 2|order: expected an integer
-- snippet:prints 3|not JSON
-- snippet:prints 5|items: expected objects
