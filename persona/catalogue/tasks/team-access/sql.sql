-- snippet:doc https://www.postgresql.org/docs/current/ddl-rowsecurity.html Row security policies
-- snippet:about PostgreSQL
-- PostgreSQL: rights belong to roles, people are only members of them.
CREATE SCHEMA shop;
CREATE TABLE shop.orders (id int PRIMARY KEY, region text NOT NULL, cents int NOT NULL);
CREATE TABLE shop.members (login name PRIMARY KEY, region text NOT NULL);

CREATE ROLE analyst NOLOGIN;
GRANT USAGE ON SCHEMA shop TO analyst;
GRANT SELECT ON shop.orders, shop.members TO analyst;

-- The region comes from a table that analysts can only read, not from a
-- setting: SET is open to everybody, so it enforces nothing.
ALTER TABLE shop.orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_region ON shop.orders
  FOR SELECT TO analyst
  USING (region = (SELECT m.region FROM shop.members AS m WHERE m.login = current_user));

-- Not a member of any region: no rows. The table's owner, superusers and roles with
-- BYPASSRLS see all.
CREATE ROLE ada LOGIN IN ROLE analyst;
INSERT INTO shop.members VALUES ('ada', 'north');
-- snippet:check
CREATE ROLE eve LOGIN IN ROLE analyst;
INSERT INTO shop.orders VALUES (1, 'north', 500), (2, 'south', 900), (3, 'north', 100);
SET SESSION AUTHORIZATION ada;
SELECT id, cents FROM shop.orders ORDER BY id;
-- snippet:measures an analyst cannot move to another region, nor change or add rows
\set ON_ERROR_STOP off
UPDATE shop.members SET region = 'south';
INSERT INTO shop.members VALUES ('analyst', 'south');
ALTER TABLE shop.orders DISABLE ROW LEVEL SECURITY;
SET row_security = off;
SELECT id FROM shop.orders;
RESET row_security;
\set ON_ERROR_STOP on
SET ROLE analyst;
SELECT count(*) FROM shop.orders;
RESET ROLE;
SELECT count(*) FROM shop.orders WHERE region <> 'north';
SET SESSION AUTHORIZATION eve;
SELECT count(*) FROM shop.orders;
-- snippet:prints 1|500
-- snippet:prints 3|100
-- snippet:prints 0
-- snippet:prints 0
-- snippet:prints 0
