<?php
// snippet:doc https://www.php-fig.org/psr/psr-14/ PSR-14: event dispatcher
// snippet:needs PHP 8.2
final class Events
{
    /** @var array<class-string, array<int, callable>> */
    private array $listeners = [];

    /** @param class-string $event */
    public function on(string $event, callable $listener): Closure
    {
        $this->listeners[$event][] = $listener;
        $key = array_key_last($this->listeners[$event]);
        return function () use ($event, $key): void { // call it to unsubscribe
            unset($this->listeners[$event][$key]);
        };
    }

    public function emit(object $event): void
    {
        foreach ($this->listeners[$event::class] ?? [] as $listener) {
            $listener($event);
        }
    }
}

final readonly class OrderPaid
{
    public function __construct(public int $orderId)
    {
    }
}
// snippet:usage
$events = new Events();
$events->on(OrderPaid::class, fn (OrderPaid $e) => print("mail for $e->orderId\n"));
$off = $events->on(OrderPaid::class, fn (OrderPaid $e) => print("stock for $e->orderId\n"));
$events->emit(new OrderPaid(1));
$off();
$events->emit(new OrderPaid(2));
$again = fn () => print("again\n");
[$first] = [$events->on(OrderPaid::class, $again), $events->on(OrderPaid::class, $again)];
$first();
$first();
$events->emit(new OrderPaid(3));
// snippet:prints mail for 1
// snippet:prints stock for 1
// snippet:prints mail for 2
// snippet:prints mail for 3
// snippet:prints again
