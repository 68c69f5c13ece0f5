-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/functions-comparisons.html#ROW-WISE-COMPARISON Row-wise comparison
-- snippet:usage
CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, published_on text NOT NULL);
INSERT INTO article VALUES (1, 'One', '2025-03-01'), (2, 'Two', '2025-03-02'), (3, 'Three', '2025-03-02'),
  (4, 'Four', '2025-03-02'), (5, 'Five', '2025-03-03');
-- snippet:end
-- SQLite and PostgreSQL: newest first, two a page. OFFSET would read and throw away all that was
-- seen before, and show rows twice when new ones arrive.
CREATE INDEX article_newest ON article (published_on DESC, id DESC);

-- First page:
SELECT id, title, published_on
FROM article
ORDER BY published_on DESC, id DESC
LIMIT 2;

-- Next page: after the last row that was shown. The id makes the order unique.
SELECT id, title, published_on
FROM article
WHERE (published_on, id) < ('2025-03-02', 4)
ORDER BY published_on DESC, id DESC
LIMIT 2;
-- snippet:prints 5|Five|2025-03-03
-- snippet:prints 4|Four|2025-03-02
-- snippet:prints 3|Three|2025-03-02
-- snippet:prints 2|Two|2025-03-02
