-- snippet:doc https://dev.mysql.com/doc/refman/en/innodb-online-ddl-operations.html Online DDL operations
-- snippet:about MySQL
-- snippet:into Run it in mysql --force -N, which goes on after the change that is refused; here errors have no numbers, and a bar stands for a tab.
-- snippet:needs MySQL 8.0.12
-- snippet:usage
CREATE TABLE customer (id int AUTO_INCREMENT PRIMARY KEY, name varchar(80) NOT NULL);
INSERT INTO customer (name) VALUES ('Ada'), ('Bo');
-- snippet:end
-- MySQL: whoever waits for a lock on the table makes everybody behind it wait, too: not for long.
SET SESSION lock_wait_timeout = 5;

-- At once, whatever the size: old rows stay as they are on the disk.
ALTER TABLE customer
  ADD COLUMN email varchar(254) NULL,
  ALGORITHM = INSTANT;

-- Built beside the table, while others read and write.
ALTER TABLE customer
  ADD INDEX by_email (email),
  ALGORITHM = INPLACE, LOCK = NONE;

-- An int that is to be a bigint needs a copy: with this it is refused, and can be planned.
ALTER TABLE customer
  MODIFY id bigint NOT NULL AUTO_INCREMENT,
  ALGORITHM = INPLACE, LOCK = NONE;
-- snippet:prints ALGORITHM=INPLACE is not supported. Reason: Cannot change column type INPLACE. Try ALGORITHM=COPY.
-- snippet:usage
INSERT INTO customer (name, email) VALUES ('Cy', 'cy@example.com');
SELECT id, name, email FROM customer ORDER BY id;
-- snippet:prints 1|Ada|NULL
-- snippet:prints 2|Bo|NULL
-- snippet:prints 3|Cy|cy@example.com
