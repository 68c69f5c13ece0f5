-- snippet:doc https://www.postgresql.org/docs/current/functions-uuid.html UUID functions
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE account (id int PRIMARY KEY, email text NOT NULL);
INSERT INTO account VALUES (1, 'ana@example.com');
\o /dev/null
-- snippet:end
-- PostgreSQL: one-time links. Only the hash is stored: a copy of this table opens no door.
CREATE TABLE password_reset (
  token_hash  bytea PRIMARY KEY,
  account_id  int NOT NULL REFERENCES account ON DELETE CASCADE,
  expires_at  timestamptz NOT NULL DEFAULT now() + interval '30 minutes'
);

-- Two random UUIDs are 244 random bits from a generator for secrets; random() is guessable.
WITH fresh AS (
  SELECT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') AS token
), stored AS (
  INSERT INTO password_reset (token_hash, account_id)
  SELECT sha256(convert_to(token, 'UTF8')), 1 FROM fresh
)
SELECT token FROM fresh;        -- goes into the mail, and nowhere else

-- Redeem: works once, and only in time.
DELETE FROM password_reset
WHERE token_hash = sha256(convert_to('the token from the link', 'UTF8')) AND expires_at > now()
RETURNING account_id;
-- snippet:check
\o
SELECT length(token_hash), expires_at > now() FROM password_reset;
-- snippet:prints 32|t
