// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ScheduledExecutorService.html ScheduledExecutorService
// snippet:needs Java 11
// snippet:prints search java
// snippet:prints search jdk
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
// snippet:usage

class Main {
    public static void main(String[] args) throws Exception {
        var timer = java.util.concurrent.Executors.newSingleThreadScheduledExecutor();
        var acted = new java.util.concurrent.LinkedBlockingQueue<String>();
        var search = new Debouncer<String>(timer, Duration.ofMillis(100), acted::add);
        for (var text : new String[] {"j", "ja", "java"}) search.accept(text);
        System.out.println("search " + acted.take());
        search.accept("jdk");
        System.out.println("search " + acted.take());
        timer.shutdown();
    }
}
// snippet:end

/** Passes on the latest value once nothing new has come for a while. What the action throws is lost: catch it there. */
final class Debouncer<T> implements Consumer<T> {
    private final ScheduledExecutorService timer;
    private final Duration quiet;
    private final Consumer<T> action;
    private Future<?> pending;

    Debouncer(ScheduledExecutorService timer, Duration quiet, Consumer<T> action) {
        this.timer = timer;
        this.quiet = quiet;
        this.action = action;
    }

    @Override
    public synchronized void accept(T value) {
        if (pending != null) {
            pending.cancel(false); // let a running action finish
        }
        pending = timer.schedule(
                () -> action.accept(value), quiet.toMillis(), TimeUnit.MILLISECONDS);
    }
}
