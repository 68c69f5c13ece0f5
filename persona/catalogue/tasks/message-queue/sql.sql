-- snippet:doc https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE The locking clause
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:title A queue of jobs in a table
-- snippet:description Any number of workers take jobs from a table, and none waits for another. A job that is not done in time
-- snippet:description becomes due again, after a pause that doubles; after five attempts it stays in the table for a person to look at.
-- snippet:about PostgreSQL
-- PostgreSQL: a table as a job queue for any number of workers.
CREATE TABLE job (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payload   jsonb NOT NULL,
  run_at    timestamptz NOT NULL DEFAULT now(),
  attempts  int NOT NULL DEFAULT 0
);
CREATE INDEX job_due ON job (run_at, id);

INSERT INTO job (payload) VALUES ('{"mail": "welcome"}'), ('{"mail": "invoice"}');

-- A worker takes one job. SKIP LOCKED passes by what others hold: nobody waits, and no two take
-- the same. Should the worker die, or take longer than the pause it set, the job is due again.
UPDATE job
SET attempts = attempts + 1,
    run_at = now() + interval '5 minutes' * power(2, attempts)
WHERE id = (
  SELECT id FROM job
  WHERE run_at <= now() AND attempts < 5
  ORDER BY run_at, id
  LIMIT 1
  FOR UPDATE SKIP LOCKED
)
RETURNING id, payload ->> 'mail' AS mail, attempts;

-- Done: DELETE FROM job WHERE id = $1;

-- Tried five times and still here: for a person to look at.
SELECT id, payload, run_at FROM job WHERE attempts >= 5 AND run_at <= now();
-- snippet:usage
SELECT count(*) FROM job WHERE run_at <= now();
-- snippet:prints 1|welcome|1
-- snippet:prints 1
