// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/CopyOnWriteArrayList.html CopyOnWriteArrayList
// snippet:prints first a.txt
// snippet:prints second a.txt
// snippet:prints second b.txt
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Delivers events by their exact class; safe to use from several threads. */
final class EventBus {
    private final Map<Class<?>, List<Consumer<Object>>> listeners = new ConcurrentHashMap<>();

    /** Running the result unsubscribes, from the next event on. */
    <E> Runnable on(Class<E> type, Consumer<? super E> listener) {
        Consumer<Object> typed = event -> listener.accept(type.cast(event));
        var list = listeners.computeIfAbsent(type, t -> new CopyOnWriteArrayList<>());
        list.add(typed);
        return () -> list.remove(typed);
    }

    void emit(Object event) {
        for (var listener : listeners.getOrDefault(event.getClass(), List.of())) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) { // one bad listener must not stop the others
                System.getLogger("events").log(System.Logger.Level.WARNING, "listener failed", e);
            }
        }
    }
}
// snippet:check
class Main {
    record Saved(String file) {}

    public static void main(String[] args) {
        var bus = new EventBus();
        var subscription = bus.on(Saved.class, e -> System.out.println("first " + e.file()));
        bus.on(Saved.class, e -> System.out.println("second " + e.file()));
        bus.emit(new Saved("a.txt"));
        subscription.run();
        bus.emit(new Saved("b.txt"));
    }
}
