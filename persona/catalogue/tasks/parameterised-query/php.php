<?php
// snippet:doc https://www.php.net/manual/en/pdo.prepared-statements.php PDO prepared statements
// snippet:needs PHP 8.1 with the pdo_sqlite extension
/**
 * MySQL: open $db with PDO::ATTR_EMULATE_PREPARES => false, else the driver writes the values into the SQL itself.
 *
 * @return list<array{id: int, title: string}>
 */
function searchBooks(PDO $db, string $text, int $limit = 20): array
{
    $query = $db->prepare(
        "SELECT id, title FROM book WHERE title LIKE :text ESCAPE '!' ORDER BY title LIMIT :limit",
    );
    // The text stays a value; only LIKE's own wildcards need escaping.
    $query->bindValue('text', '%' . strtr($text, ['!' => '!!', '%' => '!%', '_' => '!_']) . '%');
    $query->bindValue('limit', max(0, $limit), PDO::PARAM_INT); // -1 would be all in SQLite
    $query->execute();
    return $query->fetchAll(PDO::FETCH_ASSOC);
}
// snippet:usage
$db = new PDO('sqlite::memory:');
$db->exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
           INSERT INTO book (title) VALUES ('100% PHP'), ('Rust'), ('O''Reilly PHP')");
echo json_encode(searchBooks($db, 'PHP')), "\n", json_encode(searchBooks($db, '0% ')), "\n";
// snippet:prints [{"id":1,"title":"100% PHP"},{"id":3,"title":"O'Reilly PHP"}]
// snippet:prints [{"id":1,"title":"100% PHP"}]
// snippet:check
// snippet:measures a text that would end the statement stays a value
echo json_encode(searchBooks($db, "' OR 1=1 --")), "\n";
// snippet:prints []
