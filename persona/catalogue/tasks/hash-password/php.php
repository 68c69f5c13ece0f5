<?php
// snippet:doc https://www.php.net/manual/en/function.password-hash.php password_hash
const COST = ['cost' => 12]; // about a quarter of a second: measure it on your server; bcrypt reads 72 bytes
const NOBODY = '$2y$12$WDssCoBTiOsT0BqMUBQBJ.lIRod4xrVvthar66.sM9.wg8KuYiqJ.'; // of the same cost

function register(PDO $db, string $name, #[SensitiveParameter] string $password): void
{
    $db->prepare('INSERT INTO user (name, hash) VALUES (?, ?)')
        ->execute([$name, password_hash($password, PASSWORD_BCRYPT, COST)]);
}

function logIn(PDO $db, string $name, #[SensitiveParameter] string $password): bool
{
    $query = $db->prepare('SELECT hash FROM user WHERE name = ?');
    $query->execute([$name]);
    $hash = $query->fetchColumn();
    // An unknown name costs one verification too: a quick answer would tell that nobody is registered.
    if (!password_verify($password, $hash ?: NOBODY) || !$hash) {
        return false;
    }
    if (password_needs_rehash($hash, PASSWORD_BCRYPT, COST)) {
        $db->prepare('UPDATE user SET hash = ? WHERE name = ?')
            ->execute([password_hash($password, PASSWORD_BCRYPT, COST), $name]);
    }
    return true;
}
// snippet:check
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE user (name TEXT PRIMARY KEY, hash TEXT NOT NULL)');
register($db, 'ada', 'correct horse');
var_dump(logIn($db, 'ada', 'correct horse'), logIn($db, 'ada', 'wrong'), logIn($db, 'eve', "nobody's password"));
// snippet:measures an unknown name costs as much processor time as a wrong password
$cost = function (string $name) use ($db): int {
    $least = PHP_INT_MAX;
    for ($i = 0; $i < 2; $i++) {
        $before = getrusage();
        logIn($db, $name, 'wrong');
        $after = getrusage();
        $least = min($least, ($after['ru_utime.tv_sec'] - $before['ru_utime.tv_sec']) * 1_000_000
            + $after['ru_utime.tv_usec'] - $before['ru_utime.tv_usec']);
    }
    return $least;
};
[$unknown, $wrong] = [$cost('eve'), $cost('ada')];
var_dump($unknown > 10_000 && $unknown < 1.4 * $wrong && $wrong < 1.4 * $unknown);
// snippet:prints bool(true)
// snippet:prints bool(false)
// snippet:prints bool(false)
// snippet:prints bool(true)
