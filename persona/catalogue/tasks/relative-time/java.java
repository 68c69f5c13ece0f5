// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/temporal/ChronoUnit.html java.time.temporal.ChronoUnit
// snippet:needs Java 11
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
// snippet:usage
// snippet:prints just now
// snippet:prints 3 hours ago
// snippet:prints in 1 day
// snippet:prints 1 minute ago

class Main {
    public static void main(String[] args) {
        var now = Instant.parse("2026-01-31T12:00:00Z");
        for (long seconds : new long[] {-20, -3600 * 3, 86400, -60}) {
            System.out.println(RelativeTime.describe(now.plusSeconds(seconds), now));
        }
    }
}
// snippet:end

final class RelativeTime {
    private static final List<ChronoUnit> UNITS =
            List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES);

    /** "3 hours ago", "in 1 day", "just now"; days are the largest unit. */
    static String describe(Instant then, Instant now) {
        for (var unit : UNITS) {
            long amount = Math.abs(unit.between(then, now));
            if (amount > 0) {
                var name = unit.name().toLowerCase(java.util.Locale.ROOT);
                var noun = amount == 1 ? name.substring(0, name.length() - 1) : name;
                return then.isBefore(now)
                        ? amount + " " + noun + " ago"
                        : "in " + amount + " " + noun;
            }
        }
        return "just now";
    }
}
