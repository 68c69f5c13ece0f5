-- snippet:doc https://dev.mysql.com/doc/refman/en/insert-on-duplicate.html INSERT … ON DUPLICATE KEY UPDATE
-- snippet:into Run it in mysql -N; a bar stands here for its tabs.
-- snippet:about MySQL
-- snippet:needs MySQL 8.0.19
-- MySQL: messages may come twice, or late.
CREATE TABLE reading (
  sensor   varchar(20) PRIMARY KEY,
  celsius  decimal(4,1) NOT NULL,
  taken_at datetime     NOT NULL
);

INSERT INTO reading (sensor, celsius, taken_at)
VALUES ('attic',  21.5, '2026-03-05 10:05:00'),
       ('cellar', 11.0, '2026-03-05 10:05:00'),
       ('attic',  19.0, '2026-03-05 09:00:00')   -- late
  AS new
ON DUPLICATE KEY UPDATE
  -- In this order: taken_at is compared before it is changed.
  celsius  = IF(new.taken_at > reading.taken_at, new.celsius,  reading.celsius),
  taken_at = IF(new.taken_at > reading.taken_at, new.taken_at, reading.taken_at);
-- snippet:usage
INSERT INTO reading VALUES ('cellar', 12.0, '2026-03-05 11:00:00') AS new
ON DUPLICATE KEY UPDATE
  celsius  = IF(new.taken_at > reading.taken_at, new.celsius,  reading.celsius),
  taken_at = IF(new.taken_at > reading.taken_at, new.taken_at, reading.taken_at);
SELECT * FROM reading ORDER BY sensor;
-- snippet:prints attic|21.5|2026-03-05 10:05:00
-- snippet:prints cellar|12.0|2026-03-05 11:00:00
