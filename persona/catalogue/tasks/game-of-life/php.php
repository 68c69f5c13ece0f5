<?php
// snippet:doc https://www.php.net/manual/en/control-structures.match.php match
/** @param array<string, true> $alive cells as "x,y" */
function nextGeneration(array $alive): array
{
    $neighbours = [];
    foreach (array_keys($alive) as $cell) {
        [$x, $y] = explode(',', $cell);
        foreach ([-1, 0, 1] as $dx) {
            foreach ([-1, 0, 1] as $dy) {
                if ($dx || $dy) {
                    $key = ($x + $dx) . ',' . ($y + $dy);
                    $neighbours[$key] = ($neighbours[$key] ?? 0) + 1;
                }
            }
        }
    }
    $stays = fn (int $n, string $cell): bool => match ($n) {
        3 => true,
        2 => isset($alive[$cell]),
        default => false,
    };
    return array_map(fn () => true, array_filter($neighbours, $stays, ARRAY_FILTER_USE_BOTH));
}
// snippet:check
$cells = ['1,0' => true, '1,1' => true, '1,2' => true];
for ($i = 0; $i < 2; $i++) {
    $cells = nextGeneration($cells);
    $keys = array_keys($cells);
    sort($keys);
    echo implode(' ', $keys), "\n";
}
// snippet:prints 0,1 1,1 2,1
// snippet:prints 1,0 1,1 1,2
