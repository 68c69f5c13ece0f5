<?php
// snippet:doc https://www.php.net/manual/en/pdostatement.fetchall.php PDOStatement::fetchAll
/**
 * The posts after the given one, newest first; needs an index on (created, id).
 *
 * @return array{items: list<array>, next: ?string} next is the cursor of the following page, which may be empty
 */
function postsAfter(PDO $db, ?string $cursor, int $size = 20): array
{
    [$created, $id] = $cursor === null
        ? ['9999', PHP_INT_MAX]
        : json_decode(base64_decode($cursor), flags: JSON_THROW_ON_ERROR);
    $query = $db->prepare('SELECT id, created, title FROM post
        WHERE (created, id) < (:created, :id) ORDER BY created DESC, id DESC LIMIT :size');
    $query->bindValue('created', $created);
    $query->bindValue('id', (int) $id, PDO::PARAM_INT);
    $query->bindValue('size', $size, PDO::PARAM_INT);
    $query->execute();
    $items = $query->fetchAll(PDO::FETCH_ASSOC);
    $last = end($items);
    $more = $last !== false && count($items) === $size;
    $next = $more ? base64_encode(json_encode([$last['created'], $last['id']])) : null;
    return ['items' => $items, 'next' => $next];
}
// snippet:check
$db = new PDO('sqlite::memory:');
$db->exec("CREATE TABLE post (id INTEGER PRIMARY KEY, created TEXT, title TEXT); INSERT INTO post (created, title) VALUES ('2026-01-01','a'),('2026-01-02','b'),('2026-01-02','c'),('2026-01-03','d'),('2026-01-04','e')");
$cursor = null;
do {
    ['items' => $items, 'next' => $cursor] = postsAfter($db, $cursor, 2);
    echo implode(' ', array_column($items, 'title')), "\n";
} while ($cursor !== null);
// snippet:prints e d
// snippet:prints c b
// snippet:prints a
