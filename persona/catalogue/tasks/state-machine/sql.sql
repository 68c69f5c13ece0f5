-- snippet:description The allowed steps of an order are rows of a table. Triggers refuse every other change of its state, and a new
-- snippet:description order that does not begin as new.
-- snippet:doc https://www.sqlite.org/lang_createtrigger.html CREATE TRIGGER
-- snippet:needs SQLite 3.37
-- snippet:about SQLite
-- SQLite: the allowed steps of an order are rows; the database refuses all others.
CREATE TABLE transition (
  from_state TEXT NOT NULL,
  to_state   TEXT NOT NULL,
  PRIMARY KEY (from_state, to_state)
) STRICT, WITHOUT ROWID;

INSERT INTO transition VALUES
  ('new', 'paid'), ('new', 'cancelled'), ('paid', 'shipped'), ('paid', 'refunded'),
  ('shipped', 'delivered'), ('shipped', 'returned'), ('returned', 'refunded');

CREATE TABLE orders (
  id    INTEGER PRIMARY KEY,
  state TEXT NOT NULL DEFAULT 'new'
) STRICT, WITHOUT ROWID; -- with a rowid, new.id is undefined in a BEFORE INSERT trigger unless it is given

CREATE TRIGGER orders_follow_the_rules
BEFORE UPDATE ON orders
WHEN new.id <> old.id -- UPDATE OR REPLACE would put it in place of another
  OR new.state IS NOT old.state AND NOT EXISTS (
    SELECT 1 FROM transition WHERE from_state = old.state AND to_state = new.state
  )
BEGIN
  SELECT raise(ABORT, 'this step is not allowed for the order');
END;

CREATE TRIGGER orders_begin_new
BEFORE INSERT ON orders
WHEN new.state <> 'new'
  OR EXISTS (SELECT 1 FROM orders WHERE id = new.id) -- INSERT OR REPLACE would begin it anew
BEGIN
  SELECT raise(ABORT, 'an order begins as new');
END;
-- snippet:usage
INSERT INTO orders (id) VALUES (1);
UPDATE orders SET state = 'paid';
UPDATE orders SET state = 'shipped';
SELECT id, state FROM orders;
-- snippet:prints 1|shipped
