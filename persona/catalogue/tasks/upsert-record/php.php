<?php
// snippet:doc https://www.sqlite.org/lang_upsert.html SQLite UPSERT
// snippet:needs PHP with the pdo_sqlite extension
/** Keeps the best score of each player; running it twice changes nothing. */
function saveScore(PDO $db, string $player, int $score): void
{
    $db->prepare(<<<'SQL'
        INSERT INTO best (player, score, saved_at) VALUES (:player, :score, CURRENT_TIMESTAMP)
        ON CONFLICT (player) DO UPDATE
        SET score = excluded.score, saved_at = excluded.saved_at
        WHERE excluded.score > best.score
        SQL)->execute(['player' => $player, 'score' => $score]);
}
// snippet:usage
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE best (player TEXT PRIMARY KEY, score INTEGER NOT NULL, saved_at TEXT NOT NULL)');
foreach ([['ada', 10], ['bob', 7], ['ada', 30], ['ada', 20]] as [$p, $s]) {
    saveScore($db, $p, $s);
}
foreach ($db->query('SELECT player, score FROM best ORDER BY player') as $r) {
    echo "$r[player] $r[score]\n";
}
// snippet:prints ada 30
// snippet:prints bob 7
