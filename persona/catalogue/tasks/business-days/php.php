<?php
// snippet:doc https://www.php.net/manual/en/class.dateperiod.php DatePeriod
// snippet:needs PHP 8.2
/**
 * Working days from $from up to and including $to, dates that exist (30 February would be 2 March); holidays are
 * written like 2026-12-25.
 */
function businessDays(string $from, string $to, array $holidays = []): int
{
    $utc = new DateTimeZone('UTC'); // without changes of the clocks, which may skip a midnight
    $days = new DatePeriod(
        new DateTimeImmutable($from, $utc),
        new DateInterval('P1D'),
        new DateTimeImmutable($to, $utc),
        DatePeriod::INCLUDE_END_DATE,
    );
    $count = 0;
    foreach ($days as $day) {
        $weekend = (int) $day->format('N') > 5;
        if (!$weekend && !in_array($day->format('Y-m-d'), $holidays, true)) {
            $count++;
        }
    }
    return $count;
}

echo businessDays('2026-12-21', '2027-01-04', ['2026-12-25', '2027-01-01']), "\n";
// snippet:prints 9
