<?php
// snippet:doc https://www.php.net/manual/en/function.intdiv.php intdiv
/**
 * Splits an amount in cents by ratios so that not one cent is lost.
 *
 * @param list<int> $ratios
 * @return list<int>
 */
function split(int $cents, array $ratios): array
{
    $total = array_sum($ratios);
    $shares = array_map(fn (int $ratio): int => intdiv($cents * $ratio, $total), $ratios);
    for ($i = 0, $rest = $cents - array_sum($shares); $i < $rest; $i++) {
        $shares[$i]++; // the first ones get the cents that are left
    }
    return $shares;
}

function euros(int $cents): string
{
    return sprintf('%d.%02d €', intdiv($cents, 100), $cents % 100);
}

echo implode(', ', array_map(euros(...), split(1000, [1, 1, 1]))), "\n";
// snippet:prints 3.34 €, 3.33 €, 3.33 €
