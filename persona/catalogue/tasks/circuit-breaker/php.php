<?php
// snippet:doc https://www.php.net/manual/en/class.closure.php Closure
// snippet:description After several failures in a row stop calling for a while, then let the next call through to see whether
// snippet:description things are well again. The clock is a parameter: if it jumps, the pause is longer or shorter. The state lives in the object: it serves one long-running process, not all requests
// snippet:description of a server.
final class CircuitBreaker
{
    private int $failures = 0;
    private float $openUntil = 0;

    public function __construct(
        private int $threshold,
        private float $pauseSeconds,
        private Closure $clock,
    ) {
    }

    public function call(callable $operation): mixed
    {
        if (($this->clock)() < $this->openUntil) {
            throw new RuntimeException('not tried: the service failed too often a moment ago');
        }
        try {
            $result = $operation(); // after the pause this is the one trial
            $this->failures = 0;
            return $result;
        } catch (Exception $error) {
            if (++$this->failures >= $this->threshold) {
                $this->openUntil = ($this->clock)() + $this->pauseSeconds;
            }
            throw $error;
        }
    }
}
// snippet:check
$now = 0;
$breaker = new CircuitBreaker(2, 30, function () use (&$now) { return $now; });
foreach ([[0, false], [1, false], [2, true], [31, true], [32, true]] as [$now, $healthy]) {
    try {
        echo "$now ", $breaker->call(fn () => $healthy ? 'ok' : throw new RuntimeException('down')), "\n";
    } catch (RuntimeException $e) {
        echo $e->getMessage(), "\n";
    }
}
// snippet:prints 0 down
// snippet:prints 1 down
// snippet:prints 2 not tried: the service failed too often a moment ago
// snippet:prints 31 ok
// snippet:prints 32 ok
