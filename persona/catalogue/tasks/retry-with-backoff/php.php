<?php
// snippet:doc https://www.php.net/manual/en/function.usleep.php usleep
/**
 * @template T
 * @param callable(): T $call
 * @return T what the call returned at last
 */
function retry(callable $call, int $attempts = 5, float $base = 0.2, float $longest = 10.0): mixed
{
    for ($attempt = 1; ; $attempt++) {
        try {
            return $call();
        } catch (RuntimeException $error) {
            if ($attempt >= $attempts) {
                throw $error;
            }
        }
        // Full jitter: clients that failed together do not come back together.
        $ceiling = min($longest, $base * 2 ** ($attempt - 1));
        usleep((int) (random_int(0, PHP_INT_MAX) / PHP_INT_MAX * $ceiling * 1_000_000));
    }
}
// snippet:check
$n = 0;
echo retry(function () use (&$n) { return ++$n < 3 ? throw new RuntimeException('busy') : "done after $n"; }, 5, 0.001), "\n";
try {
    retry(fn () => throw new RuntimeException('still busy'), 2, 0.001);
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
// snippet:prints done after 3
// snippet:prints still busy
