<?php
// snippet:doc https://www.php.net/manual/en/function.proc-open.php proc_open
/**
 * Runs commands in parallel processes, at most $limit at a time.
 *
 * @param array<string, list<string>> $commands
 * @return array<string, array{exit: int, out: string}> in the order of $commands
 */
function runPool(array $commands, int $limit): array
{
    $waiting = $commands;
    $running = $results = [];
    while ($waiting || $running) {
        while ($waiting && count($running) < $limit) {
            $name = array_key_first($waiting);
            $process = proc_open($waiting[$name], [1 => ['pipe', 'w']], $pipes);
            $running[$name] = [$process, $pipes[1]];
            unset($waiting[$name]);
        }
        $name = array_key_first($running);
        [$process, $pipe] = $running[$name];
        $out = stream_get_contents($pipe); // waits for the oldest, the others go on
        $results[$name] = ['exit' => proc_close($process), 'out' => trim($out)];
        unset($running[$name]);
    }
    return $results;
}
// snippet:check
$jobs = [];
foreach (['c' => 0, 'a' => 3, 'b' => 0] as $n => $code) {
    $jobs[$n] = [PHP_BINARY, '-r', "echo 'job $n'; exit($code);"];
}
foreach (runPool($jobs, 2) as $n => $r) {
    echo "$n: {$r['out']} ({$r['exit']})\n";
}
// snippet:prints c: job c (0)
// snippet:prints a: job a (3)
// snippet:prints b: job b (0)
