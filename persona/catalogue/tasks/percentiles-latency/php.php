<?php
// snippet:doc https://www.php.net/manual/en/function.sort.php sort
/** The smallest value that at least the given percentage of all values does not exceed (nearest rank, 0 to 100). */
function percentile(array $values, float $percent): float
{
    if ($values === []) {
        throw new InvalidArgumentException('no values');
    }
    sort($values);
    return $values[max(0, (int) ceil($percent * count($values) / 100 - 1e-7) - 1)]; // 99.9 * 41000 / 100 is above 40959
}

$milliseconds = [12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15];
printf("mean %.0f ms\n", array_sum($milliseconds) / count($milliseconds));
foreach ([50, 95, 99] as $percent) {
    printf("p%d  %d ms\n", $percent, percentile($milliseconds, $percent));
}
// snippet:prints mean 69 ms
// snippet:prints p50  13 ms
// snippet:prints p95  240 ms
// snippet:prints p99  900 ms
// snippet:check
if (percentile(range(1, 41000), 99.9) !== 40959.0) {
    throw new LogicException('99.9 percent of 41,000');
}
