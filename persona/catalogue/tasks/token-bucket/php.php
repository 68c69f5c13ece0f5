<?php
// snippet:doc https://www.php.net/manual/en/function.hrtime.php hrtime
/** For a process that lives on: PHP-FPM forgets it. The clock gives seconds: `fn () => hrtime(true) / 1e9`. */
final class TokenBucket
{
    private float $tokens;
    private float $updated;

    public function __construct(private float $rate, private int $burst, private Closure $clock)
    {
        $this->tokens = $burst;
        $this->updated = $clock();
    }

    /** 0 if the call may go ahead, otherwise the seconds to wait, up to a millisecond more than needed. */
    public function take(): float
    {
        $now = ($this->clock)();
        $tokens = min($this->burst, $this->tokens + ($now - $this->updated) * $this->rate);
        if ($tokens >= 1 - 1e-9) { // a token that rounding made a trifle less is one
            [$this->tokens, $this->updated] = [$tokens - 1, $now];
            return 0;
        }
        return ceil((1 - $tokens) / $this->rate * 1000) / 1000; // nothing changes: rounding errors would add up
    }
}
// snippet:usage
$now = 0.0;
$b = new TokenBucket(2, 3, function () use (&$now) { return $now; });
foreach ([0, 0, 0, 0, 0.25, 0.5, 5] as $now) {
    echo $b->take(), ' ';
}
echo "\n";
// snippet:prints 0 0 0 0.5 0.25 0 0
$now = 0.0;
$b = new TokenBucket(10, 1, function () use (&$now) { return $now; });
for ($tick = 0, $waits = 0; $tick < 1000; $tick++) {
    $now = $tick / 10;
    $waits += $b->take();
}
echo $waits, "\n";
// snippet:prints 0
