-- snippet:doc https://dev.mysql.com/doc/refman/en/create-table-generated-columns.html Generated columns
-- snippet:about MySQL
-- snippet:into Run it in mysql --force -N, which goes on after the change that is refused; here errors have no numbers, and a bar stands for a tab.
-- snippet:needs MySQL 8.0.16
-- MySQL: amounts in cents, the tax in percent.
CREATE TABLE invoice (
  id          int AUTO_INCREMENT PRIMARY KEY,
  net_cents   int           NOT NULL,
  tax_percent decimal(4, 2) NOT NULL,
  gross_cents bigint AS (round(net_cents * (1 + tax_percent / 100))) STORED,
  issued      date NOT NULL,
  paid        date NULL,
  INDEX by_gross (gross_cents),
  CONSTRAINT amount_is_positive CHECK (net_cents > 0),
  CONSTRAINT tax_is_a_percentage CHECK (tax_percent BETWEEN 0 AND 50),
  CONSTRAINT paid_after_issued CHECK (paid >= issued) -- not broken by NULL: not paid yet
);

INSERT INTO invoice (net_cents, tax_percent, issued) VALUES (1000, 19, '2026-03-01'), (999, 7, '2026-03-02');
UPDATE invoice SET paid = '2026-02-28' WHERE id = 1; -- refused: it would be paid before it is issued
-- snippet:prints Check constraint 'paid_after_issued' is violated.
-- snippet:usage
SELECT id, gross_cents, paid FROM invoice ORDER BY id;
INSERT INTO invoice (net_cents, tax_percent, issued) VALUES (0, 19, '2026-03-01');
-- snippet:prints 1|1190|NULL
-- snippet:prints 2|1069|NULL
-- snippet:prints Check constraint 'amount_is_positive' is violated.
