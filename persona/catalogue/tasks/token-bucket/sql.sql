-- snippet:doc https://www.postgresql.org/docs/current/sql-insert.html#SQL-ON-CONFLICT ON CONFLICT clause
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE bucket (client text PRIMARY KEY, tokens float8 NOT NULL, at timestamptz NOT NULL);
-- snippet:end
-- PostgreSQL: 5 calls a second with bursts of 10, the same limit for all servers together. The row
-- lock of the upsert makes it exact.
PREPARE allow (text) AS
INSERT INTO bucket AS b (client, tokens, at)
VALUES ($1, 10 - 1, clock_timestamp())
ON CONFLICT (client) DO UPDATE
SET tokens = least(10, b.tokens + 5 * extract(epoch FROM excluded.at - b.at)) - 1,
    at     = excluded.at
WHERE least(10, b.tokens + 5 * extract(epoch FROM excluded.at - b.at)) >= 1
RETURNING floor(tokens) AS calls_left;     -- no row: too many, answer 429

EXECUTE allow ('203.0.113.7');
-- snippet:usage
UPDATE bucket SET tokens = 0.2, at = clock_timestamp() + interval '1 hour';
EXECUTE allow ('203.0.113.7');
UPDATE bucket SET at = clock_timestamp() - interval '1 second';
EXECUTE allow ('203.0.113.7');
-- snippet:prints 9
-- snippet:prints 4
