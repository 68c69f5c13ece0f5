-- snippet:doc https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS Advisory lock functions
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:title A clean-up job that runs once at a time
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE event (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL);
INSERT INTO event (at) SELECT now() - interval '100 days' FROM generate_series(1, 2500);
INSERT INTO event (at) VALUES (now());
-- snippet:end
-- PostgreSQL: the nightly clean-up; a second run that starts meanwhile sees the lock and leaves.
CREATE PROCEDURE purge_events(keep interval, batch int DEFAULT 1000) LANGUAGE plpgsql AS $$
DECLARE
  removed int;
BEGIN
  -- A session's lock, as COMMIT would free a transaction's. After an error it ends with the session.
  IF NOT pg_try_advisory_lock(hashtext('purge_events')) THEN
    RAISE NOTICE 'purge_events is running already';
    RETURN;
  END IF;
  LOOP
    DELETE FROM event
    WHERE id IN (SELECT id FROM event WHERE at < now() - keep ORDER BY id LIMIT batch);
    GET DIAGNOSTICS removed = ROW_COUNT;
    COMMIT;                          -- short transactions: locks are freed as we go
    EXIT WHEN removed = 0;
  END LOOP;
  PERFORM pg_advisory_unlock(hashtext('purge_events'));
END $$;

CALL purge_events(keep => interval '90 days');
-- snippet:usage
SELECT count(*) FROM event;
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid();
-- snippet:prints 1
-- snippet:prints 0
