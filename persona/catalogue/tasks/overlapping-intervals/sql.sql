-- snippet:into Run it in sqlite3 -list or psql -qAt.
-- snippet:doc https://www.postgresql.org/docs/current/ddl-constraints.html#DDL-CONSTRAINTS-EXCLUSION Exclusion constraints
-- snippet:title Find overlapping bookings
-- snippet:usage
-- snippet:prints standup|interview
-- snippet:prints interview|lunch
CREATE TABLE booking (id integer PRIMARY KEY, room text, title text, starts timestamp, ends timestamp);
INSERT INTO booking VALUES
  (1, 'a', 'standup', '2026-03-02 09:00', '2026-03-02 10:00'),
  (2, 'a', 'interview', '2026-03-02 09:30', '2026-03-02 12:30'),
  (3, 'a', 'lunch', '2026-03-02 12:00', '2026-03-02 13:00'), (4, 'a', 'review', '2026-03-02 13:00', '2026-03-02 14:00'),
  (5, 'b', 'call', '2026-03-02 09:00', '2026-03-02 17:00');
-- snippet:end
-- SQLite and PostgreSQL: each pair of bookings of one room that overlap, once. Ends are exclusive,
-- so a booking that begins when another one ends does not meet it.
SELECT one.title, other.title
FROM booking AS one
JOIN booking AS other
  ON other.room = one.room
 AND other.starts < one.ends
 AND other.ends > one.starts
 AND (other.starts, other.id) > (one.starts, one.id)
ORDER BY one.starts, other.starts;
