<?php
// snippet:doc https://www.sqlite.org/lang_createtrigger.html SQLite triggers
// snippet:needs PHP with the pdo_sqlite extension
// snippet:description Let triggers in SQLite record each update of a price with its time, its author and the old and new values.
// snippet:description The entry is written in the same transaction as the change, and other triggers refuse to update or delete
// snippet:description entries. The author is what `changed_by` says after the update, so every update has to set it.
/** From now on each UPDATE that changes a price is recorded, with the new product.changed_by as its author. */
function auditPrices(PDO $db): void
{
    $db->exec(<<<'SQL'
        CREATE TABLE IF NOT EXISTS price_audit (
            id INTEGER PRIMARY KEY,
            changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
            changed_by TEXT NOT NULL,
            product_id INTEGER NOT NULL,
            old_cents INTEGER,
            new_cents INTEGER
        ) WITHOUT ROWID; -- with a rowid, new.id is undefined in price_audit_adds
        CREATE TRIGGER IF NOT EXISTS price_changed AFTER UPDATE OF cents ON product
        WHEN old.cents IS NOT new.cents BEGIN
            SELECT RAISE(ABORT, 'who changes the price?') WHERE new.changed_by IS NULL; -- OR IGNORE skips NOT NULL
            INSERT INTO price_audit (id, changed_by, product_id, old_cents, new_cents)
            SELECT coalesce(max(id), 0) + 1, new.changed_by, new.id, old.cents, new.cents FROM price_audit;
        END;
        CREATE TRIGGER IF NOT EXISTS price_audit_stays BEFORE DELETE ON price_audit BEGIN
            SELECT RAISE(ABORT, 'the audit trail is only ever added to');
        END;
        CREATE TRIGGER IF NOT EXISTS price_audit_adds BEFORE INSERT ON price_audit
        WHEN EXISTS (SELECT 1 FROM price_audit WHERE id = new.id) BEGIN -- REPLACE
            SELECT RAISE(ABORT, 'the audit trail is only ever added to');
        END;
        CREATE TRIGGER IF NOT EXISTS price_audit_is_final BEFORE UPDATE ON price_audit BEGIN
            SELECT RAISE(ABORT, 'the audit trail is only ever added to');
        END;
        SQL);
}
// snippet:usage
$db = new PDO('sqlite::memory:');
$db->exec("CREATE TABLE product (id INTEGER PRIMARY KEY, cents INTEGER, changed_by TEXT);
           INSERT INTO product VALUES (1, 100, 'ada'), (2, 200, 'ada')");
auditPrices($db);
$db->exec("UPDATE product SET cents = cents + 50, changed_by = 'bob' WHERE id = 1");
foreach ($db->query('SELECT changed_by, old_cents, new_cents FROM price_audit', PDO::FETCH_NUM) as $entry) {
    echo implode(' ', $entry), "\n";
}
// snippet:prints bob 100 150
// snippet:check
$db->exec('UPDATE product SET cents = 200 WHERE id = 2');
foreach (['UPDATE OR IGNORE product SET cents = 1, changed_by = NULL', 'DELETE FROM price_audit', 'UPDATE price_audit SET new_cents = 1', "REPLACE INTO price_audit (id, changed_by, product_id, old_cents, new_cents) VALUES (1, 'eve', 1, 1, 1)"] as $change) {
    try {
        $db->exec($change);
    } catch (PDOException $e) {
        echo 'refused', "\n";
    }
}
$db->exec("INSERT INTO price_audit (id, changed_by, product_id) VALUES (-1, 'eve', 1); UPDATE product SET cents = 160, changed_by = 'bob' WHERE id = 1");
echo $db->query('SELECT group_concat(id) FROM price_audit')->fetchColumn(), "\n";
// snippet:prints refused
// snippet:prints refused
// snippet:prints refused
// snippet:prints refused
// snippet:prints -1,1,2
