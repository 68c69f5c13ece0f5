// snippet:doc https://docs.oracle.com/en/java/javase/21/core/virtual-threads.html Virtual threads
// snippet:needs Java 21
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
// snippet:usage
// snippet:prints [1, 4, 9, 16]

class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(Parallel.map(List.of(1, 2, 3, 4), 2, n -> n * n));
        // snippet:check
        // snippet:prints / by zero
        // snippet:prints limit 0: expected 1 or more
        try {
            Parallel.map(List.of(1, 0), 2, n -> 10 / n);
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            Parallel.map(List.of(1), 0, n -> n);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        // snippet:usage
    }
}
// snippet:end

final class Parallel {
    /** Maps on virtual threads, {@code limit} at a time; results keep their order. */
    static <T, R> List<R> map(List<T> items, int limit, Function<T, R> work)
            throws InterruptedException, ExecutionException {
        if (limit < 1) throw new IllegalArgumentException("limit " + limit + ": expected 1 or more");
        var slots = new Semaphore(limit);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = items.stream().map(item -> executor.submit(() -> {
                slots.acquire();
                try { return work.apply(item); } finally { slots.release(); }
            })).toList();
            var results = new ArrayList<R>();
            try {
                for (var future : futures) results.add(future.get());
            } catch (ExecutionException | InterruptedException e) {
                executor.shutdownNow(); // or close() would wait for all the others
                throw e;
            }
            return results;
        }
    }
}
