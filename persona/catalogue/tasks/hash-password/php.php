<?php
// snippet:doc https://www.php.net/manual/en/function.password-hash.php password_hash
function register(PDO $db, string $name, #[SensitiveParameter] string $password): void
{
    $db->prepare('INSERT INTO user (name, hash) VALUES (?, ?)')
        ->execute([$name, password_hash($password, PASSWORD_DEFAULT)]);
}

function logIn(PDO $db, string $name, #[SensitiveParameter] string $password): bool
{
    $query = $db->prepare('SELECT hash FROM user WHERE name = ?');
    $query->execute([$name]);
    $hash = $query->fetchColumn();
    // An unknown name costs as much time as a wrong password.
    if (!password_verify($password, $hash ?: password_hash('nobody', PASSWORD_DEFAULT)) || !$hash) {
        return false;
    }
    if (password_needs_rehash($hash, PASSWORD_DEFAULT)) {
        $db->prepare('UPDATE user SET hash = ? WHERE name = ?')
            ->execute([password_hash($password, PASSWORD_DEFAULT), $name]);
    }
    return true;
}
// snippet:check
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE user (name TEXT PRIMARY KEY, hash TEXT NOT NULL)');
register($db, 'ada', 'correct horse');
var_dump(logIn($db, 'ada', 'correct horse'), logIn($db, 'ada', 'wrong'), logIn($db, 'eve', 'nobody'));
// snippet:prints bool(true)
// snippet:prints bool(false)
// snippet:prints bool(false)
