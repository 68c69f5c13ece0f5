<?php
// snippet:description The states of an order, and for each the states that may follow it. Any other change is an error that names
// snippet:description both states.
// snippet:doc https://www.php.net/manual/en/language.enumerations.php Enumerations
// snippet:needs PHP 8.1
enum OrderState: string
{
    case Cart = 'cart';
    case Paid = 'paid';
    case Shipped = 'shipped';
    case Cancelled = 'cancelled';

    /** @return list<self> */
    public function next(): array
    {
        return match ($this) {
            self::Cart => [self::Paid, self::Cancelled],
            self::Paid => [self::Shipped, self::Cancelled],
            self::Shipped, self::Cancelled => [],
        };
    }

    public function to(self $state): self
    {
        return in_array($state, $this->next(), true)
            ? $state
            : throw new DomainException("no order goes from {$this->value} to {$state->value}");
    }
}
// snippet:usage
$s = OrderState::Cart->to(OrderState::Paid)->to(OrderState::Shipped);
echo $s->value, "\n";
try {
    $s->to(OrderState::Cart);
} catch (DomainException $e) {
    echo $e->getMessage(), "\n";
}
// snippet:prints shipped
// snippet:prints no order goes from shipped to cart
