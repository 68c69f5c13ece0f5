-- snippet:doc https://www.postgresql.org/docs/current/plpgsql-trigger.html Trigger functions
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE price (sku text PRIMARY KEY, cents int);
-- snippet:end
-- PostgreSQL: who changed what, when, from what to what; the application cannot forget it.
CREATE TABLE audit (
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  who       text        NOT NULL DEFAULT coalesce(current_setting('app.actor', true), session_user),
  relation  text        NOT NULL,
  action    text        NOT NULL,
  before    jsonb,
  after     jsonb
);

CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit (relation, action, before, after)
  VALUES (TG_TABLE_NAME, TG_OP,
          CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
          CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;                      -- ignored: an AFTER trigger
END $$;

CREATE TRIGGER price_audit AFTER INSERT OR UPDATE OR DELETE ON price
FOR EACH ROW EXECUTE FUNCTION record_change();
-- snippet:check
SET app.actor = 'ana';
INSERT INTO price VALUES ('tea', 350);
UPDATE price SET cents = 390 WHERE sku = 'tea';
DELETE FROM price;
SELECT who, relation, action, before ->> 'cents', after ->> 'cents' FROM audit ORDER BY at;
-- snippet:prints ana|price|INSERT||350
-- snippet:prints ana|price|UPDATE|350|390
-- snippet:prints ana|price|DELETE|390|
