-- snippet:doc https://dev.mysql.com/doc/refman/en/charset-unicode-sets.html Unicode character sets
-- snippet:into Run it in mysql -N; a bar stands here for its tabs.
-- snippet:about MySQL
-- snippet:needs MySQL 8
-- MySQL: _ai ignores accents, _as does not; _ci ignores capitals, _cs does not.
CREATE TABLE account (
  email varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_as_ci NOT NULL UNIQUE,
  code  varchar(20)  CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_as_cs NOT NULL UNIQUE,
  name  varchar(80)  CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL
);

INSERT INTO account VALUES ('Ada@example.com', 'aB7', 'José 😀');

-- Left out: the same address for the key.
INSERT IGNORE INTO account VALUES ('ada@example.com', 'AB7', 'Ada');
-- Added: another code for the key.
INSERT IGNORE INTO account VALUES ('bo@example.com', 'AB7', 'Bo');

SELECT email, code, name FROM account WHERE name LIKE 'jose%';
-- snippet:usage
SELECT count(*) FROM account;
-- snippet:prints Ada@example.com|aB7|José 😀
-- snippet:prints 2
