// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/Callable.html java.util.concurrent.Callable
// snippet:needs Java 21
// snippet:prints done after 3
// snippet:prints gave up after 2 attempts: down
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

final class Retry {
    /** Calls until it works, at most {@code attempts} times, with full jitter. */
    static <T> T call(int attempts, Duration base, Callable<T> operation) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return operation.call();
            } catch (IOException e) { // only what may pass by itself
                if (attempt >= attempts) {
                    throw new IOException("gave up after " + attempts + " attempts", e);
                }
                long ceiling = base.toNanos() << Math.min(attempt - 1, 10);
                Thread.sleep(Duration.ofNanos(ThreadLocalRandom.current().nextLong(ceiling + 1)));
            }
        }
    }
}
// snippet:check
class Main {
    static int calls;

    public static void main(String[] args) throws Exception {
        System.out.println(Retry.call(4, Duration.ofMillis(1), () -> {
            if (++calls < 3) throw new IOException("busy");
            return "done after " + calls;
        }));
        try {
            Retry.call(2, Duration.ofMillis(1), () -> { throw new IOException("down"); });
        } catch (IOException e) {
            System.out.println(e.getMessage() + ": " + e.getCause().getMessage());
        }
    }
}
