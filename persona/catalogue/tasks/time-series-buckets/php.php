<?php
// snippet:doc https://www.php.net/manual/en/function.floor.php floor
/**
 * Gathers readings into equal intervals, gaps included.
 *
 * @param array<int, float> $readings value by Unix time, in order
 * @return array<int, array{count: int, mean: ?float, max: ?float}> by start of the interval
 */
function buckets(array $readings, int $seconds): array
{
    $groups = [];
    foreach ($readings as $time => $value) {
        $groups[(int) floor($time / $seconds) * $seconds][] = $value;
    }
    $out = [];
    if (!$groups) {
        return $out;
    }
    for ($start = array_key_first($groups); $start <= array_key_last($groups); $start += $seconds) {
        $values = $groups[$start] ?? [];
        $out[$start] = [
            'count' => count($values),
            'mean' => $values ? array_sum($values) / count($values) : null,
            'max' => $values ? max($values) : null,
        ];
    }
    return $out;
}
// snippet:check
foreach (buckets([0 => 20.0, 30 => 22.0, 59 => 21.0, 130 => 25.5], 60) as $at => $b) {
    echo gmdate('H:i', $at), ' ', json_encode($b), "\n";
}
// snippet:prints 00:00 {"count":3,"mean":21,"max":22}
// snippet:prints 00:01 {"count":0,"mean":null,"max":null}
// snippet:prints 00:02 {"count":1,"mean":25.5,"max":25.5}
