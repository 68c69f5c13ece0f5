<?php
// snippet:doc https://www.php.net/manual/en/function.mb-strlen.php mb_strlen
/** @param array<string, int|float> $values */
function barChart(array $values, int $width = 30): string
{
    $most = max($values);
    $label = max(array_map(mb_strlen(...), array_keys($values)));
    $lines = [];
    foreach ($values as $name => $value) {
        $bar = str_repeat('█', $most > 0 ? (int) round($value / $most * $width) : 0);
        $blank = str_repeat(' ', $label - mb_strlen($name)); // str_pad counts bytes
        $lines[] = "$name$blank  $bar " . number_format($value);
    }
    return implode("\n", $lines) . "\n";
}

echo barChart(['Mon' => 1200, 'Tue' => 1850, 'Wed' => 640, 'Thu' => 0]);
// snippet:prints Mon  ███████████████████ 1,200
// snippet:prints Tue  ██████████████████████████████ 1,850
// snippet:prints Wed  ██████████ 640
// snippet:prints Thu   0
