// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ExecutorService.html ExecutorService
// snippet:needs Java 11
// snippet:description When told to stop, take no new work and let what is under way finish, but only until a deadline. What still
// snippet:description runs then is interrupted; what ignores that ends with the process, after the hook.
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
// snippet:usage
// snippet:prints finished
// snippet:prints true

class Main {
    public static void main(String[] args) throws Exception {
        var quick = java.util.concurrent.Executors.newFixedThreadPool(2);
        quick.submit(() -> System.out.println("finished"));
        System.out.println(Shutdown.stop(quick, Duration.ofSeconds(10)));
        // snippet:check
        // snippet:prints false
        var slow = java.util.concurrent.Executors.newSingleThreadExecutor();
        slow.submit(() -> { Thread.sleep(5000); return 1; });
        System.out.println(Shutdown.stop(slow, Duration.ofMillis(50)));
        Shutdown.onExit(slow, Duration.ofMillis(10));
        // snippet:usage
    }
}
// snippet:end

final class Shutdown {
    /** Lets work finish on SIGTERM or Ctrl+C, and interrupts what is left after {@code grace}. */
    static Thread onExit(ExecutorService jobs, Duration grace) {
        var hook = new Thread(() -> stop(jobs, grace), "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }

    static boolean stop(ExecutorService jobs, Duration grace) {
        jobs.shutdown(); // take nothing new
        try {
            if (jobs.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
            System.err.println("cut off; jobs that had not begun: " + jobs.shutdownNow().size());
        } catch (InterruptedException e) {
            jobs.shutdownNow();
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
