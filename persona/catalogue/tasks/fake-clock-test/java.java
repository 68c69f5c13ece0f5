// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/Clock.html java.time.Clock
// snippet:description Pass the clock in, so that a test can move it forward and an expiry of a day is checked in a moment. The
// snippet:description code asks the clock that it was given and never the system.
// snippet:prints false
// snippet:prints true false
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Takes its time from outside: {@link Clock#systemUTC()} in production. */
record Session(InstantSource clock, Instant openedAt) {
    static final Duration LIFETIME = Duration.ofHours(24);

    static Session open(InstantSource clock) {
        return new Session(clock, clock.instant());
    }

    boolean expired() {
        return !clock.instant().isBefore(openedAt.plus(LIFETIME));
    }
}

/** For tests: a day passes in no time at all. */
final class FakeClock implements InstantSource {
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");

    @Override public Instant instant() { return now; }

    void advance(Duration duration) { now = now.plus(duration); }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var clock = new FakeClock();
        var session = Session.open(clock);
        clock.advance(Session.LIFETIME.minusNanos(1));
        System.out.println(session.expired());
        clock.advance(Duration.ofNanos(1));
        System.out.println(session.expired() + " " + Session.open(Clock.systemUTC()).expired());
    }
}
