// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/DoubleSummaryStatistics.html java.util.DoubleSummaryStatistics
// snippet:needs Java 16
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summarizingDouble;

import java.time.Duration;
import java.time.Instant;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.TreeMap;
// snippet:usage
// snippet:prints 2026-01-01T00:00:00Z 2 3.0
// snippet:prints 2026-01-01T00:01:00Z 0 0.0
// snippet:prints 2026-01-01T00:02:00Z 1 7.0

class Main {
    public static void main(String[] args) {
        var t = Instant.parse("2026-01-01T00:00:00Z");
        var readings = List.of(
                new Reading(t, 2), new Reading(t.plusSeconds(20), 4), new Reading(t.plusSeconds(130), 7));
        Reading.buckets(readings, Duration.ofMinutes(1))
                .forEach((at, s) -> System.out.println(at + " " + s.getCount() + " " + s.getAverage()));
    }
}
// snippet:end

record Reading(Instant at, double value) {

    /** Count, mean and extremes per interval of whole milliseconds; one without readings has count 0. */
    static TreeMap<Instant, DoubleSummaryStatistics> buckets(
            List<Reading> readings, Duration width) {
        var buckets = readings.stream().collect(groupingBy(
                r -> floor(r.at(), width), TreeMap::new, summarizingDouble(Reading::value)));
        if (!buckets.isEmpty()) {
            for (var t = buckets.firstKey(); t.isBefore(buckets.lastKey()); t = t.plus(width)) {
                buckets.putIfAbsent(t, new DoubleSummaryStatistics());
            }
        }
        return buckets;
    }

    private static Instant floor(Instant at, Duration width) {
        long millis = at.toEpochMilli();
        return Instant.ofEpochMilli(millis - Math.floorMod(millis, width.toMillis()));
    }
}
