<?php
// snippet:doc https://laravel.com/docs/queues#max-job-attempts-and-timeout Queues: attempts, timeouts and failures
// snippet:about Laravel
// snippet:into Save it as app/Jobs/ReportOrder.php of a Laravel application, with namespace App\Jobs; below its first line.
// snippet:check
require 'laravel.php';
table('jobs', function ($t) { $t->id(); $t->string('queue'); $t->longText('payload'); $t->integer('attempts'); $t->integer('reserved_at')->nullable(); $t->integer('available_at'); $t->integer('created_at'); });
// snippet:prints 503: again in 5 s
// snippet:prints 429: again in 90 s
// snippet:prints 422: gave up on order 7, 0 jobs left
// snippet:end
use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Support\Facades\{Http, Log};

class ReportOrder implements ShouldQueue
{
    use Dispatchable, InteractsWithQueue, Queueable;

    public int $tries = 4;
    public int $timeout = 60; // seconds, with the pcntl extension; shorter than the connection's retry_after
    public array $backoff = [5, 60, 600];
    public function __construct(public readonly int $order) {}

    public function handle(): void
    {
        $response = Http::timeout(10)->withoutRedirecting() // a redirected POST may arrive as a GET
            ->withHeaders(['Idempotency-Key' => "order-{$this->order}"])
            ->post('https://partner.example.com/orders', ['id' => $this->order]);
        match (true) {
            $response->status() === 429 => $this->release((int) $response->header('Retry-After') ?: 60),
            $response->clientError() => $this->fail($response->toException()), // the same again would seldom help
            default => $response->successful() || throw new \RuntimeException("status {$response->status()}"),
        };
    }
    public function failed(?\Throwable $error): void
    {
        Log::error('order was not reported', ['order' => $this->order, 'error' => $error?->getMessage()]);
    }
}
// snippet:check
Log::swap(new class { public function error($m, $c) { $GLOBALS['gave_up'] = $c['order'] ?? $GLOBALS['gave_up'] ?? 0; } public function __call($a, $b) {} });
$worker = $app['queue.worker'];
$work = function (int $status, array $headers = []) use ($worker) {
    Http::swap(new Illuminate\Http\Client\Factory());
    Http::fake(['*' => Http::response('', $status, $headers)]);
    Illuminate\Support\Facades\DB::table('jobs')->update(['available_at' => 0]);
    $worker->runNextJob('database', 'default', new Illuminate\Queue\WorkerOptions());
    if (Http::recorded(fn ($request) => $request->hasHeader('Idempotency-Key', 'order-7'))->count() !== 1) {
        exit('without a key');
    }
    return Illuminate\Support\Facades\DB::table('jobs');
};
Illuminate\Support\Carbon::setTestNow('2026-03-01 12:00:00');
ReportOrder::dispatch(7);
echo '503: again in ', $work(503)->first()->available_at - now()->timestamp, " s\n";
echo '429: again in ', $work(429, ['Retry-After' => '90'])->first()->available_at - now()->timestamp, " s\n";
$left = $work(422)->count();
echo "422: gave up on order {$gave_up}, $left jobs left\n";
