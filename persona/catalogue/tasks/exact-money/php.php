<?php
// snippet:doc https://www.php.net/manual/en/function.intdiv.php intdiv
// snippet:needs PHP 8.1
/**
 * Splits an amount in cents by ratios so that not one cent is lost.
 *
 * @param list<non-negative-int> $ratios
 * @return list<int>
 */
function split(int $cents, array $ratios): array
{
    $total = array_sum($ratios) ?: throw new InvalidArgumentException('ratios must not all be zero');
    $shares = array_map(fn (int $ratio): int => intdiv($cents * $ratio, $total), $ratios);
    $rest = $cents - array_sum($shares);
    foreach ($ratios as $i => $ratio) { // the first ones get the cents that are left
        if ($rest !== 0 && $ratio > 0) {
            $shares[$i] += $rest <=> 0;
            $rest -= $rest <=> 0;
        }
    }
    return $shares;
}

function euros(int $cents): string
{
    return sprintf('%s%d.%02d €', $cents < 0 ? '-' : '', abs(intdiv($cents, 100)), abs($cents % 100));
}

echo implode(', ', array_map(euros(...), split(1000, [1, 1, 1]))), "\n";
// snippet:usage
echo implode(', ', array_map(euros(...), split(-100, [0, 1, 2]))), "\n";
// snippet:end
// snippet:prints 3.34 €, 3.33 €, 3.33 €
// snippet:prints 0.00 €, -0.34 €, -0.66 €
