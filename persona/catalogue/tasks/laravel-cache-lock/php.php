<?php
// snippet:doc https://laravel.com/docs/cache#managing-locks Cache: atomic locks
// snippet:about Laravel
// snippet:check
require 'laravel.php';
// snippet:prints computed 1 time(s): 42
// snippet:prints after five minutes: 2
// snippet:prints while another computes: LockTimeoutException
// snippet:prints and the lock is free again
// snippet:end
use Illuminate\Support\Facades\Cache;

/** Return the cached value, or compute it in one process at a time; null is not kept. */
function remember_once(string $key, int $seconds, \Closure $compute, int $wait = 10): mixed
{
    $cached = Cache::get($key);
    if ($cached !== null) {
        return $cached;
    }
    return Cache::lock("lock:$key", seconds: 60)->block($wait, function () use ($key, $seconds, $compute) {
        return Cache::remember($key, $seconds, $compute); // asks the cache once more
    });
}

// $report = remember_once('report:monthly', 300, fn () => Report::ofMonth(now()));

// snippet:check
function monthly_report(): array { return remember_once('report:monthly', 300, fn () => compute_report()); }
$times = 0;
function compute_report(): array { global $times; $times++; return ['total' => 42]; }
monthly_report();
printf("computed %d time(s): %d\n", $times, monthly_report()['total']);
Illuminate\Support\Carbon::setTestNow(now()->addSeconds(301));
monthly_report();
echo "after five minutes: $times\n";
Cache::flush();
$other = Cache::lock('lock:report:monthly', 60);
$other->get();
try {
    remember_once('report:monthly', 300, fn () => 1, wait: 0);
} catch (Illuminate\Contracts\Cache\LockTimeoutException $error) {
    echo 'while another computes: ', class_basename($error), "\n";
}
$other->release();
try {
    remember_once('report:monthly', 300, fn () => throw new RuntimeException());
} catch (RuntimeException) {
}
echo Cache::lock('lock:report:monthly', 60)->get() ? "and the lock is free again\n" : "still locked\n";
