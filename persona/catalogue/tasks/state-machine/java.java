// snippet:doc https://docs.oracle.com/en/java/javase/21/language/pattern-matching-switch.html Pattern matching for switch
// snippet:needs Java 21
// snippet:prints Paid[items=2, receipt=r1] Shipped[tracking=t9]
// snippet:prints Pay[receipt=r2] is not possible for Paid[items=2, receipt=r1]
// snippet:usage
class Main {
    public static void main(String[] args) {
        Order order = new Order.Basket(2).apply(new Order.Pay("r1"));
        System.out.println(order + " " + order.apply(new Order.Ship("t9")));
        try {
            order.apply(new Order.Pay("r2"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
// snippet:end

sealed interface Order {
    record Basket(int items) implements Order {}
    record Paid(int items, String receipt) implements Order {}
    record Shipped(String tracking) implements Order {}

    sealed interface Event {}
    record Pay(String receipt) implements Event {}
    record Ship(String tracking) implements Event {}

    /** Each state has its own data, and everything that is not listed is refused. */
    default Order apply(Event event) {
        return switch (new Step(this, event)) {
            case Step(Basket(var items), Pay(var receipt)) when items > 0 ->
                    new Paid(items, receipt);
            case Step(Paid paid, Ship(var tracking)) -> new Shipped(tracking);
            default -> throw new IllegalStateException(event + " is not possible for " + this);
        };
    }

    record Step(Order order, Event event) {}
}
