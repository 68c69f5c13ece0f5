-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/functions-math.html Mathematical operators
-- snippet:title Name, set and clear bits in a column
-- snippet:description List the names of the bits that are set in a column, from a table of names. An update clears one bit and
-- snippet:description sets another without touching the rest.
-- snippet:usage
-- snippet:prints motor|0||
-- snippet:prints pump|141|0|ready
-- snippet:prints pump|141|2|overrun
-- snippet:prints pump|141|3|parity
-- snippet:prints pump|141|7|enabled
-- snippet:prints valve|1|0|ready
CREATE TABLE status (device text, register int);
INSERT INTO status VALUES ('pump', 141), ('valve', 1), ('motor', 0);
-- snippet:end
-- SQLite and PostgreSQL: the names of the bits that are set, from a table instead of a manual.
CREATE TABLE flag (bit int PRIMARY KEY CHECK (bit BETWEEN 0 AND 30), name text NOT NULL);
INSERT INTO flag VALUES (0, 'ready'), (1, 'busy'), (2, 'overrun'), (3, 'parity'), (7, 'enabled');

SELECT device, register, bit, name
FROM status
LEFT JOIN flag ON register & (1 << bit) <> 0
ORDER BY device, bit;

-- Clear one bit and set another, without touching the rest.
UPDATE status
SET register = (register & ~(1 << 2)) | (1 << 1)
WHERE device = 'pump';
-- snippet:check
-- snippet:prints 139
SELECT register FROM status WHERE device = 'pump';
