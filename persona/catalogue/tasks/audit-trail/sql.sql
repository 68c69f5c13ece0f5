-- snippet:doc https://www.postgresql.org/docs/current/plpgsql-trigger.html Trigger functions
-- snippet:description Let a trigger record each insert, update and delete with its time, the author that the application names, and
-- snippet:description the row before and after. The entry is written in the same transaction as the change, and the application
-- snippet:description needs no right on the trail.
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE price (sku text PRIMARY KEY, cents int);
-- snippet:end
-- PostgreSQL: who changed what, when, from what to what. The trigger writes with its owner's rights:
-- give the application none on audit, and it cannot alter an entry. The name in app.actor is its own word.
CREATE TABLE audit (
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  who       text        NOT NULL DEFAULT coalesce(nullif(current_setting('app.actor', true), ''), session_user),
  relation  text        NOT NULL,
  action    text        NOT NULL,
  before    jsonb,
  after     jsonb
);

CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$ -- pg_temp last: else a temporary audit comes first
BEGIN
  INSERT INTO audit (relation, action, before, after)
  VALUES (TG_TABLE_NAME, TG_OP,
          CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
          CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;                      -- ignored: an AFTER trigger
END $$;

REVOKE EXECUTE ON FUNCTION record_change() FROM PUBLIC; -- else anybody's table could write entries with it

CREATE TRIGGER price_audit AFTER INSERT OR UPDATE OR DELETE ON price
FOR EACH ROW EXECUTE FUNCTION record_change();
-- snippet:check
CREATE ROLE app;
GRANT SELECT, INSERT, UPDATE, DELETE ON price TO app;
SET ROLE app;
BEGIN;
SET LOCAL app.actor = 'ana';
INSERT INTO price VALUES ('tea', 350);
UPDATE price SET cents = 390 WHERE sku = 'tea';
COMMIT;
-- snippet:measures a temporary table of the same name does not take the rows
CREATE TEMPORARY TABLE audit (at timestamptz DEFAULT now(), who text DEFAULT 'nobody', relation text, action text, before jsonb, after jsonb);
GRANT ALL ON audit TO postgres;
DELETE FROM price;
DROP TABLE pg_temp.audit;
CREATE TEMP TABLE price_of_my_own (sku text);
DO $$
BEGIN
  CREATE TRIGGER own AFTER INSERT ON price_of_my_own FOR EACH ROW EXECUTE FUNCTION record_change();
  RAISE 'the application made an entry up';
EXCEPTION WHEN insufficient_privilege THEN
  NULL;
END $$;
DO $$
BEGIN
  DELETE FROM audit;
  RAISE 'the application changed the audit trail';
EXCEPTION WHEN insufficient_privilege THEN
  NULL;
END $$;
RESET ROLE;
SELECT who, relation, action, before ->> 'cents', after ->> 'cents' FROM audit ORDER BY at;
-- snippet:prints ana|price|INSERT||350
-- snippet:prints ana|price|UPDATE|350|390
-- snippet:prints postgres|price|DELETE|390|
