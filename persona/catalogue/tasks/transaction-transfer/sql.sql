-- snippet:doc https://www.postgresql.org/docs/current/sql-begin.html BEGIN
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE account (id text PRIMARY KEY, cents bigint NOT NULL CHECK (cents >= 0));
CREATE TABLE entry (account_id text NOT NULL REFERENCES account, cents bigint NOT NULL, reason text NOT NULL);
INSERT INTO account VALUES ('ana', 10000), ('bo', 2500);
-- snippet:end
-- PostgreSQL: both accounts change or neither does.
BEGIN;

-- Lock in the order of the ids: two transfers in opposite directions cannot deadlock.
SELECT id, cents FROM account WHERE id IN ('bo', 'ana') ORDER BY id FOR UPDATE;

-- The CHECK (cents >= 0) on the table refuses what is not there, whoever asks.
UPDATE account SET cents = cents - 4000 WHERE id = 'ana';
UPDATE account SET cents = cents + 4000 WHERE id = 'bo';

-- entry.account_id REFERENCES account: if one is not there, this fails, and COMMIT keeps nothing.
INSERT INTO entry (account_id, cents, reason)
VALUES ('ana', -4000, 'rent for March'),
       ('bo', 4000, 'rent for March');

COMMIT;
-- snippet:usage
SELECT id, cents, (SELECT sum(cents) FROM entry WHERE account_id = id) FROM account ORDER BY id;
-- snippet:prints ana|10000
-- snippet:prints bo|2500
-- snippet:prints ana|6000|-4000
-- snippet:prints bo|6500|4000
