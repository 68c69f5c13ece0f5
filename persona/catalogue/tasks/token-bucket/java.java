// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/Duration.html java.time.Duration
// snippet:prints PT0S PT0S PT0.5S
// snippet:prints PT0S
import java.time.Duration;
import java.time.Instant;

/** A steady rate with room for short bursts: one token per call. */
final class TokenBucket {
    private final double perSecond;
    private final double capacity;
    private double tokens;
    private Instant updated;

    TokenBucket(double perSecond, double capacity, Instant now) {
        this.perSecond = perSecond;
        this.capacity = capacity;
        this.tokens = capacity;
        this.updated = now;
    }

    /** Zero if the call may pass, otherwise how long to wait before the next try. */
    synchronized Duration take(Instant now) {
        double elapsed = Math.max(0, Duration.between(updated, now).toNanos()) / 1e9; // a clock set back
        tokens = Math.min(capacity, tokens + elapsed * perSecond);
        updated = now;
        if (tokens < 1) {
            return Duration.ofNanos((long) Math.ceil((1 - tokens) / perSecond * 1e9));
        }
        tokens -= 1;
        return Duration.ZERO;
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var start = Instant.EPOCH;
        var bucket = new TokenBucket(2, 2, start);
        System.out.println(bucket.take(start) + " " + bucket.take(start) + " " + bucket.take(start));
        System.out.println(bucket.take(start.plusMillis(500)));
    }
}
