<?php
// snippet:doc https://www.php.net/manual/en/datetime.diff.php DateTimeInterface::diff
function ago(DateTimeInterface $then, DateTimeInterface $now): string
{
    $utc = new DateTimeZone('UTC'); // between two zones, diff may count wrongly
    [$from, $to] = $then < $now ? [$then, $now] : [$now, $then]; // backwards it counts months otherwise
    $gap = DateTimeImmutable::createFromInterface($from)->setTimezone($utc)
        ->diff(DateTimeImmutable::createFromInterface($to)->setTimezone($utc));
    $units = ['y' => 'year', 'm' => 'month', 'd' => 'day', 'h' => 'hour', 'i' => 'minute'];
    foreach ($units as $property => $unit) {
        if ($n = $gap->$property) {
            $words = sprintf('%d %s%s', $n, $unit, $n === 1 ? '' : 's');
            return $then < $now ? "$words ago" : "in $words";
        }
    }
    return 'just now';
}

$now = new DateTimeImmutable('2026-05-04 12:00:00 UTC');
foreach (['-20 seconds', '-3 minutes', '-27 hours', '-13 months', '+150 minutes'] as $step) {
    echo ago($now->modify($step), $now), "\n";
}
// snippet:usage
// snippet:prints just now
// snippet:prints 3 minutes ago
// snippet:prints 1 day ago
// snippet:prints 1 year ago
// snippet:prints in 2 hours
// snippet:check
// snippet:prints just now
// snippet:prints in 29 days
echo ago(new DateTimeImmutable('2026-03-01 00:30 Europe/Berlin'), new DateTimeImmutable('2026-02-28 23:30 UTC')), "\n";
echo ago(new DateTimeImmutable('2026-03-01 UTC'), new DateTimeImmutable('2026-01-31 UTC')), "\n";
