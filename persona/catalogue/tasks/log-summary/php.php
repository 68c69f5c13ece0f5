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
// snippet:check
file_put_contents('app.log', "2026-05-04T11:00:01Z ERROR a\n2026-05-04T10:15:00Z ERROR b\n\n2026-05-04T10:59:00Z INFO ERROR c\n2026-05-04T10:16:00Z FATAL d\nbroken\n2026-05-04T10:zz ERROR no time\n");
foreach (errorsPerHour('app.log') as $hour => $n) {
    echo "$hour $n\n";
}
// snippet:prints 2026-05-04T10 2
// snippet:prints 2026-05-04T11 1
