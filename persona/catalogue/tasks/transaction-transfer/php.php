<?php
// snippet:doc https://www.php.net/manual/en/pdo.begintransaction.php PDO::beginTransaction
function transfer(PDO $db, int $from, int $to, int $cents): void
{
    if ($cents <= 0) {
        throw new DomainException('the amount must be positive');
    }
    $db->beginTransaction();
    try {
        $debit = $db->prepare('UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?');
        $debit->execute([$cents, $from, $cents]);
        $credit = $db->prepare('UPDATE account SET cents = cents + ? WHERE id = ?');
        $credit->execute([$cents, $to]);
        if ($debit->rowCount() !== 1 || $credit->rowCount() !== 1) {
            throw new DomainException('no such account, or not enough money on it');
        }
        $db->commit();
    } catch (Throwable $error) {
        $db->rollBack();
        throw $error;
    }
}
// snippet:check
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER); INSERT INTO account VALUES (1, 500), (2, 0)');
transfer($db, 1, 2, 200);
foreach ([400, -200] as $cents) {
    try {
        transfer($db, 1, 2, $cents);
    } catch (DomainException $e) {
        echo $e->getMessage(), "\n";
    }
}
echo implode(' ', $db->query('SELECT cents FROM account ORDER BY id')->fetchAll(PDO::FETCH_COLUMN)), "\n";
// snippet:prints no such account, or not enough money on it
// snippet:prints the amount must be positive
// snippet:prints 300 200
