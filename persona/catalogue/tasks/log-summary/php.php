<?php
// snippet:doc https://www.php.net/manual/en/class.splfileobject.php SplFileObject
/** Errors per hour in a log like "2026-05-04T10:15:00Z ERROR message". */
function errorsPerHour(string $path): array
{
    $hours = [];
    $log = new SplFileObject($path);
    $log->setFlags(SplFileObject::DROP_NEW_LINE);
    foreach ($log as $line) {
        if (preg_match('/^(\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S* (?:ERROR|FATAL)\b/', $line, $match)) {
            $hours[$match[1]] = ($hours[$match[1]] ?? 0) + 1;
        }
    }
    ksort($hours);
    return $hours;
}
// snippet:usage
file_put_contents('app.log', <<<'LOG'
    2026-05-04T11:00:01Z ERROR a
    2026-05-04T10:15:00Z ERROR b
    2026-05-04T10:59:00Z INFO ERROR c
    2026-05-04T10:16:00Z FATAL d
    LOG);
foreach (errorsPerHour('app.log') as $hour => $n) {
    echo "$hour $n\n";
}
// snippet:prints 2026-05-04T10 2
// snippet:prints 2026-05-04T11 1
// snippet:check
file_put_contents('app.log', "\nbroken\n2026-05-04T10:zz ERROR no time\n");
echo count(errorsPerHour('app.log')), "\n";
// snippet:prints 0
