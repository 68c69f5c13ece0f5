<?php
// snippet:doc https://www.php.net/manual/en/function.array-diff-key.php array_diff_key
/** Compares lists of records by a key that is there once in each. All have their fields in the same order. */
function diffByKey(array $before, array $after, string $key): array
{
    $before = array_column($before, null, $key);
    $after = array_column($after, null, $key);
    $both = array_intersect_key($after, $before);
    return [
        'added'   => array_values(array_diff_key($after, $before)),
        'removed' => array_values(array_diff_key($before, $after)),
        'changed' => array_values(array_filter($both, fn ($new) => $new !== $before[$new[$key]])),
    ];
}
// snippet:usage
$a = [['id' => 1, 'n' => 'a'], ['id' => 2, 'n' => 'b'], ['id' => 3, 'n' => 'c']];
$b = [['id' => 2, 'n' => 'B'], ['id' => 3, 'n' => 'c'], ['id' => 4, 'n' => 'd']];
foreach (diffByKey($a, $b, 'id') as $kind => $rows) {
    echo $kind, ' ', json_encode($rows), "\n";
}
// snippet:prints added [{"id":4,"n":"d"}]
// snippet:prints removed [{"id":1,"n":"a"}]
// snippet:prints changed [{"id":2,"n":"B"}]
