// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/Duration.html java.time.Duration
// snippet:needs Java 21
// snippet:prints Latency[p50=PT0.1S, p95=PT0.19S, p99=PT0.198S, max=PT0.2S]
import java.time.Duration;
import java.util.Collection;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var samples = java.util.stream.IntStream.rangeClosed(1, 200).mapToObj(Duration::ofMillis).toList();
        System.out.println(Latency.of(samples));
    }
}
// snippet:end

/** Nearest-rank percentiles of measured durations: p99 is a value that really occurred. */
record Latency(Duration p50, Duration p95, Duration p99, Duration max) {

    static Latency of(Collection<Duration> samples) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no samples");
        }
        var sorted = samples.stream().sorted().toArray(Duration[]::new);
        return new Latency(at(sorted, 50), at(sorted, 95), at(sorted, 99), at(sorted, 100));
    }

    private static Duration at(Duration[] sorted, double percent) {
        int rank = (int) Math.ceil(percent * sorted.length / 100);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }
}
