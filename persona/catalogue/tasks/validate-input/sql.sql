-- snippet:why What the database checks need not be feared by any program.
-- snippet:description Rules that hold for every booking, whoever writes it: an address of a contact, a number of seats, a period
-- snippet:description with a beginning and an end, and no room twice at the same time. A row that breaks one of the first three is refused with an
-- snippet:description error; a booking of a room that is taken is passed over.
-- snippet:title Let the database check each booking
-- snippet:doc https://www.postgresql.org/docs/current/ddl-constraints.html Constraints
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE room (id int PRIMARY KEY);
INSERT INTO room VALUES (1);
-- snippet:end
-- PostgreSQL: rules that hold whoever writes: the app, an import, or a person at night.
CREATE EXTENSION IF NOT EXISTS btree_gist; -- from postgresql-contrib; with it "=" works beside "&&"

CREATE DOMAIN email AS text
  CHECK (VALUE ~ '^[^@[:space:]]+@([^@[:space:].]+\.)+[^@[:space:].]+$' AND length(VALUE) <= 254);

CREATE TABLE booking (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  room_id  int       NOT NULL REFERENCES room,
  contact  email     NOT NULL,
  seats    int       NOT NULL CONSTRAINT seats_fit CHECK (seats BETWEEN 1 AND 12),
  during   tstzrange NOT NULL,
  -- Not empty, and not for ever: also infinity is a point in time.
  CONSTRAINT has_both_ends CHECK (coalesce(isfinite(lower(during)) AND isfinite(upper(during)), false)),
  -- No room twice at the same time.
  CONSTRAINT room_is_free EXCLUDE USING gist (room_id WITH =, during WITH &&)
);

INSERT INTO booking (room_id, contact, seats, during)
VALUES (1, 'ana@example.com', 4, '[2025-03-14 10:00Z, 2025-03-14 11:00Z)')
ON CONFLICT ON CONSTRAINT room_is_free DO NOTHING;
-- snippet:check
INSERT INTO booking (room_id, contact, seats, during)
VALUES (1, 'bo@example.com', 4, '[2025-03-14 10:30Z, 2025-03-14 11:30Z)')
ON CONFLICT ON CONSTRAINT room_is_free DO NOTHING;
SELECT count(*) FROM booking;
DO $$ BEGIN
  PERFORM 'ana@example..com'::email;
  RAISE 'two dots were accepted';
EXCEPTION WHEN check_violation THEN NULL; END $$;
DO $$ BEGIN
  INSERT INTO booking (room_id, contact, seats, during) VALUES (1, 'nobody', 4, '[2025-04-14,2025-04-15)');
EXCEPTION WHEN check_violation THEN NULL; END $$;
DO $$ DECLARE period tstzrange; BEGIN
  FOREACH period IN ARRAY ARRAY['empty', '[2025-04-14,)', '[2025-04-14,infinity)', '(,2025-01-01)']::tstzrange[] LOOP
    BEGIN
      INSERT INTO booking (room_id, contact, seats, during) VALUES (1, 'bo@example.com', 4, period);
      RAISE '% was accepted', period;
    EXCEPTION WHEN check_violation THEN NULL; END;
  END LOOP;
END $$;
SELECT count(*) FROM booking;
-- snippet:prints 1
-- snippet:prints 1
