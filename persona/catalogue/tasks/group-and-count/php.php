<?php
// snippet:doc https://www.php.net/manual/en/function.array-count-values.php array_count_values
// snippet:description Count visits by country, the most frequent first, with `array_count_values`. Then group the times by page,
// snippet:description and print the number of visits and the average time of each page in the order of their first visit.
$visits = [
    ['page' => '/home', 'country' => 'NO', 'ms' => 120],
    ['page' => '/docs', 'country' => 'DE', 'ms' => 80],
    ['page' => '/home', 'country' => 'DE', 'ms' => 200],
    ['page' => '/home', 'country' => 'NO', 'ms' => 100],
];

$perCountry = array_count_values(array_column($visits, 'country'));
arsort($perCountry);
echo json_encode($perCountry), "\n";

$times = [];
foreach ($visits as ['page' => $page, 'ms' => $ms]) {
    $times[$page][] = $ms;
}
foreach ($times as $page => $all) {
    printf("%-6s %d visits, %.0f ms on average\n", $page, count($all), array_sum($all) / count($all));
}
// snippet:prints {"NO":2,"DE":2}
// snippet:prints /home  3 visits, 140 ms on average
// snippet:prints /docs  1 visits, 80 ms on average
