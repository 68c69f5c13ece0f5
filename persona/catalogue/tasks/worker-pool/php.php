<?php
// snippet:doc https://www.php.net/manual/en/function.proc-open.php proc_open
/**
 * Runs commands in parallel processes, at most $limit at a time. Not on Windows, where stream_select wants sockets.
 *
 * @param array<string, list<string>> $commands
 * @return array<string, array{exit: int, out: string}> in the order of $commands
 */
function runPool(array $commands, int $limit): array
{
    if ($limit < 1) {
        throw new InvalidArgumentException("limit $limit: expected 1 or more");
    }
    [$waiting, $running, $out, $results] = [$commands, [], array_fill_keys(array_keys($commands), ''), []];
    while ($waiting || $running) {
        while ($waiting && count($running) < $limit) {
            $name = array_key_first($waiting);
            $process = proc_open($waiting[$name], [1 => ['pipe', 'w']], $pipes)
                ?: throw new RuntimeException("cannot start $name");
            unset($waiting[$name]); // array_shift would number numeric names anew
            $running[$name] = ['name' => $name, 'process' => $process, 'pipe' => $pipes[1]];
        }
        $ready = array_column($running, 'pipe', 'name');
        $write = $except = null;
        stream_select($ready, $write, $except, null); // sleeps until one of them has something to say
        foreach ($ready as $name => $pipe) {
            $out[$name] .= fread($pipe, 8192);
            if (feof($pipe)) {
                $exit = proc_close($running[$name]['process']);
                $results[$name] = ['exit' => $exit, 'out' => $out[$name]];
                unset($running[$name]);
            }
        }
    }
    return array_replace($commands, $results);
}
// snippet:check
$jobs = [];
foreach (['c' => 0, 'a' => 3, 'b' => 0] as $n => $code) {
    $jobs[$n] = [PHP_BINARY, '-r', "echo 'job $n'; exit($code);"];
}
echo count(runPool([], 2)), ' ', implode(',', array_keys(runPool([7 => $jobs['a'], 9 => $jobs['b'], 5 => $jobs['c']], 1))), "\n";
foreach (runPool($jobs, 2) as $n => $r) {
    echo "$n: {$r['out']} ({$r['exit']})\n";
}
// snippet:prints 0 7,9,5
// snippet:prints c: job c (0)
// snippet:prints a: job a (3)
// snippet:prints b: job b (0)
