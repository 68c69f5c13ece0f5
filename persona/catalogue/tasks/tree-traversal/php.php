<?php
// snippet:doc https://www.php.net/manual/en/language.generators.syntax.php#control-structures.yield.from yield from
/** Every node, with its depth as the key, parents before children; keys repeat, so it is for a foreach. */
function walk(array $nodes, int $depth = 0): Generator
{
    foreach ($nodes as $name => $children) {
        yield $depth => $name;
        yield from walk($children, $depth + 1);
    }
}

$menu = [
    'Products' => ['Books' => ['Novels' => [], 'Poetry' => []], 'Music' => []],
    'About' => [],
];
foreach (walk($menu) as $depth => $name) {
    echo str_repeat('  ', $depth), "- $name\n";
}
// snippet:prints - Products
// snippet:prints   - Books
// snippet:prints     - Novels
// snippet:prints     - Poetry
// snippet:prints   - Music
// snippet:prints - About
