// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ConcurrentHashMap.html ConcurrentHashMap
// snippet:prints 23416728348467685
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/** Computes each key once, also when many threads ask at the same time; failures are kept, too. */
final class Memo<K, V> implements Function<K, V> {
    private final Map<K, FutureTask<V>> results = new ConcurrentHashMap<>();
    private final Function<K, V> function;

    Memo(Function<K, V> function) {
        this.function = function;
    }

    @Override
    public V apply(K key) {
        // computeIfAbsent must not run the function: it could come back to this map.
        var task = results.computeIfAbsent(key, k -> new FutureTask<>(() -> function.apply(k)));
        task.run(); // only the first call does anything
        try {
            return task.get(); // the others wait for it here
        } catch (InterruptedException | ExecutionException e) {
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
            throw new IllegalStateException("no result for " + key, e);
        }
    }
}
// snippet:check
class Main {
    static Memo<Integer, Long> fib = new Memo<>(n -> n < 2 ? (long) n : fibOf(n - 1) + fibOf(n - 2));

    static long fibOf(int n) {
        return fib.apply(n);
    }

    public static void main(String[] args) {
        System.out.println(fibOf(80));
    }
}
