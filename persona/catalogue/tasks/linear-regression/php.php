<?php
// snippet:doc https://www.php.net/manual/en/function.array-map.php array_map
/** Least squares: y = slope * x + intercept, and R², the share it explains. */
function fitLine(array $xs, array $ys): array
{
    $n = count($xs);
    if ($n !== count($ys) || $n < 2 || min($xs) == max($xs)) {
        throw new InvalidArgumentException('expected as many y as x, and two different x at least');
    }
    $mx = array_sum($xs) / $n;
    $my = array_sum($ys) / $n;
    $sum = fn (callable $f) => array_sum(array_map($f, $xs, $ys));
    $sxx = $sum(fn ($x, $y) => ($x - $mx) ** 2);
    $sxy = $sum(fn ($x, $y) => ($x - $mx) * ($y - $my));
    $syy = $sum(fn ($x, $y) => ($y - $my) ** 2);
    $slope = $sxy / $sxx;
    return [$slope, $my - $slope * $mx, min($ys) == max($ys) ? 1 : min(1, $sxy ** 2 / ($sxx * $syy))];
}

[$a, $b, $r2] = fitLine([1, 2, 3, 4, 5], [2.1, 3.9, 6.2, 7.8, 10.1]);
printf("y = %.2f x + %.2f, R² = %.3f; at 6: %.1f\n", $a, $b, $r2, 6 * $a + $b);
// snippet:usage
try {
    fitLine([2, 2], [1, 3]);
} catch (InvalidArgumentException $error) {
    echo $error->getMessage(), "\n";
}
// snippet:prints y = 1.99 x + 0.05, R² = 0.997; at 6: 12.0
// snippet:prints expected as many y as x, and two different x at least
