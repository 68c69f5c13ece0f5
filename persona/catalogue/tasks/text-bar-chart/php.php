<?php
// snippet:doc https://www.php.net/manual/en/function.mb-strlen.php mb_strlen
// snippet:needs PHP with the mbstring extension
/** @param array<string, int|float> $values */
function barChart(array $values, int $width = 30): string
{
    $most = max([0, ...array_values($values)]);
    $label = max([0, ...array_map('mb_strlen', array_keys($values))]);
    $chart = '';
    foreach ($values as $name => $value) {
        $bar = str_repeat('█', $most > 0 ? (int) round(max(0, $value) / $most * $width) : 0);
        $blank = str_repeat(' ', $label - mb_strlen($name)); // str_pad counts bytes
        $chart .= "$name$blank  $bar $value\n";
    }
    return $chart;
}

echo barChart(['Mon' => 1200, 'Tue' => 1850.5, 'Wed' => 640, 'Thu' => 0]);
// snippet:usage
echo barChart(['a' => -1]), barChart([]);
// snippet:prints Mon  ███████████████████ 1200
// snippet:prints Tue  ██████████████████████████████ 1850.5
// snippet:prints Wed  ██████████ 640
// snippet:prints Thu   0
// snippet:prints a   -1
