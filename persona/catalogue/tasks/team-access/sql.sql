-- snippet:doc https://www.postgresql.org/docs/current/ddl-rowsecurity.html Row security policies
-- snippet:check
BEGIN;
CREATE SCHEMA shop;
CREATE TABLE shop.orders (id int PRIMARY KEY, region text NOT NULL, cents int NOT NULL);
INSERT INTO shop.orders VALUES (1, 'north', 500), (2, 'south', 900), (3, 'north', 100);
-- snippet:end
-- PostgreSQL: rights belong to roles, people are only members of them.
CREATE ROLE analyst NOLOGIN;
GRANT USAGE ON SCHEMA shop TO analyst;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO analyst;
ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT SELECT ON TABLES TO analyst;

-- Everybody sees the rows of the own region only, whatever the query says.
ALTER TABLE shop.orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_region ON shop.orders
  FOR SELECT TO analyst
  USING (region = current_setting('app.region', true));

-- No setting, no rows: a forgotten step shows too little, never too much.
SET LOCAL ROLE analyst;
SET LOCAL app.region = 'north';
SELECT id, cents FROM shop.orders ORDER BY id;
-- snippet:check
SET LOCAL app.region = '';
SELECT count(*) FROM shop.orders;
ROLLBACK;
-- snippet:prints 1|500
-- snippet:prints 3|100
-- snippet:prints 0
