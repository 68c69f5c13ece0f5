<?php
// snippet:doc https://www.sqlite.org/lang_createtrigger.html SQLite triggers
/** From now on every change of a price is recorded, whoever makes it. */
function auditPrices(PDO $db): void
{
    $db->exec(<<<'SQL'
        CREATE TABLE IF NOT EXISTS price_audit (
            changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
            product_id INTEGER NOT NULL,
            old_cents INTEGER NOT NULL,
            new_cents INTEGER NOT NULL
        );
        CREATE TRIGGER IF NOT EXISTS price_changed AFTER UPDATE OF cents ON product
        WHEN old.cents <> new.cents BEGIN
            INSERT INTO price_audit (product_id, old_cents, new_cents)
            VALUES (new.id, old.cents, new.cents);
        END;
        CREATE TRIGGER IF NOT EXISTS price_audit_is_final BEFORE DELETE ON price_audit BEGIN
            SELECT RAISE(ABORT, 'the audit trail is only ever added to');
        END;
        SQL);
}
// snippet:check
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE product (id INTEGER PRIMARY KEY, cents INTEGER); INSERT INTO product VALUES (1, 100), (2, 200)');
auditPrices($db);
$db->exec('UPDATE product SET cents = cents + 50 WHERE id = 1; UPDATE product SET cents = 200 WHERE id = 2');
echo json_encode($db->query('SELECT product_id, old_cents, new_cents FROM price_audit')->fetchAll(PDO::FETCH_ASSOC)), "\n";
try {
    $db->exec('DELETE FROM price_audit');
} catch (PDOException $e) {
    echo 'refused', "\n";
}
// snippet:prints [{"product_id":1,"old_cents":100,"new_cents":150}]
// snippet:prints refused
