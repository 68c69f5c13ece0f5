-- snippet:doc https://dev.mysql.com/doc/refman/en/innodb-locking-reads.html Locking reads
-- snippet:about MySQL
-- snippet:needs MySQL 8
-- MySQL: what each of several workers does, again and again.
CREATE TABLE job (
  id      bigint AUTO_INCREMENT PRIMARY KEY,
  task    varchar(100) NOT NULL,
  done_at datetime NULL,
  INDEX next_job (done_at, id)
);
-- snippet:check
INSERT INTO job (task) VALUES ('mail'), ('invoice'), ('backup');
-- snippet:end

START TRANSACTION;
SET @id = NULL; -- without a job, INTO leaves it as it is
SELECT id INTO @id
FROM job
WHERE done_at IS NULL
ORDER BY id
LIMIT 1
FOR UPDATE SKIP LOCKED;
-- … the work, within the transaction: if this session ends, the job is free again …
UPDATE job SET done_at = now() WHERE id = @id;
COMMIT;
-- snippet:check
SELECT task, done_at IS NOT NULL FROM job ORDER BY id;
CREATE TABLE seen (id bigint);
CREATE EVENT another ON SCHEDULE EVERY 1 SECOND STARTS now() + INTERVAL 1 SECOND DO
  INSERT INTO seen SELECT id FROM job WHERE done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
START TRANSACTION;
SELECT id INTO @id FROM job WHERE done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
SELECT @id, sleep(4);
SELECT concat('another worker gets ', max(id)) FROM seen;
-- snippet:prints mail|1
-- snippet:prints invoice|0
-- snippet:prints backup|0
-- snippet:prints 2|0
-- snippet:prints another worker gets 3
