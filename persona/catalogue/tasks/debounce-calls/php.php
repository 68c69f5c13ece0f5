<?php
// snippet:doc https://www.php.net/manual/en/function.hrtime.php hrtime
// snippet:description Act once when a burst of changes has been quiet for a while. The event loop calls `tick`, which looks at the
// snippet:description clock.
// snippet:why Editors and builds may write a file several times for one change.
/** Acts once a burst of changes has been quiet for a while: for file watchers and queues. */
final class Debouncer
{
    private ?float $lastChange = null;

    public function __construct(
        private float $quietSeconds,
        private Closure $action,
        private Closure $clock, // gives seconds: fn () => hrtime(true) / 1e9
    ) {
    }

    public function changed(): void
    {
        $this->lastChange = ($this->clock)();
    }

    /** Call this from the event loop. */
    public function tick(): void
    {
        $quiet = ($this->clock)() - $this->lastChange;
        if ($this->lastChange !== null && $quiet >= $this->quietSeconds) {
            $this->lastChange = null;
            ($this->action)();
        }
    }
}
// snippet:check
$now = 0.0;
$d = new Debouncer(0.3, function () use (&$now) { echo "rebuilt at $now\n"; }, function () use (&$now) { return $now; });
foreach ([0.0, 0.1, 0.2, 1.0] as $at) {
    for (; $now < $at; $now = round($now + 0.1, 1)) {
        $d->tick();
    }
    $d->changed();
}
for ($i = 0; $i < 5; $i++, $now = round($now + 0.1, 1)) {
    $d->tick();
}
// snippet:prints rebuilt at 0.5
// snippet:prints rebuilt at 1.3
