<?php
// snippet:doc https://www.php.net/manual/en/function.mb-strtolower.php mb_strtolower
/** Keeps the newest contact of each address, by dates such as 2026-01-02; addresses that mean the same count as one. */
function deduplicate(array $contacts): array
{
    $best = [];
    foreach ($contacts as $contact) {
        $email = mb_strtolower(trim($contact['email']));
        $key = $email !== '' ? $email : 'row ' . count($best); // without an address, nothing says that two are the same
        if (!isset($best[$key]) || $contact['updated'] > $best[$key]['updated']) {
            $best[$key] = ['email' => $email] + $contact;
        }
    }
    return array_values($best);
}

$contacts = [
    ['email' => 'Ada@Example.com ', 'name' => 'Ada', 'updated' => '2026-01-02'],
    ['email' => 'bob@example.com', 'name' => 'Bob', 'updated' => '2026-01-01'],
    ['email' => 'ada@example.com', 'name' => 'Ada L.', 'updated' => '2026-03-01'],
];
foreach (deduplicate($contacts) as $c) {
    echo "$c[email] $c[name]\n";
}
// snippet:check
echo count(deduplicate([['email' => '', 'updated' => '1'], ['email' => ' ', 'updated' => '2']])), "\n";
// snippet:prints ada@example.com Ada L.
// snippet:prints bob@example.com Bob
// snippet:prints 2
