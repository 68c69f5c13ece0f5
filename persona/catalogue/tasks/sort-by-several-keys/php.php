<?php
// snippet:doc https://www.php.net/manual/en/function.usort.php usort
$players = [
    ['name' => 'Mei', 'score' => 70],
    ['name' => 'Ada', 'score' => 90],
    ['name' => 'Bob', 'score' => 70],
    ['name' => 'Zoe', 'score' => 90],
];

// Highest score first, then by name: ?: asks the next key on a draw. <=> would compare '10' and '9' as numbers.
usort($players, fn (array $a, array $b): int
    => $b['score'] <=> $a['score'] ?: strcmp($a['name'], $b['name']));

foreach ($players as ['name' => $name, 'score' => $score]) {
    echo "$score $name\n";
}
// snippet:prints 90 Ada
// snippet:prints 90 Zoe
// snippet:prints 70 Bob
// snippet:prints 70 Mei
