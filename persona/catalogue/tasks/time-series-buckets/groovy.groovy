// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/time/Duration.html Groovy and java.time
// snippet:prints 2026-01-01T00:00:00Z 2 3
// snippet:prints 2026-01-01T00:01:00Z 0 null
// snippet:prints 2026-01-01T00:02:00Z 1 7
// snippet:prints 1500000000
import java.time.Duration
import java.time.Instant

/** Readings [at, value] in equal intervals of whole milliseconds; one without readings is there too. */
List<Map> buckets(List<Map> readings, Duration width) {
    if (!readings) return []
    def index = { Map reading -> Math.floorDiv(reading.at.toEpochMilli(), width.toMillis()) }
    def groups = readings.groupBy(index)
    (groups.keySet().min()..groups.keySet().max()).collect { i ->
        def values = groups[i]*.value ?: []
        [
            start: Instant.ofEpochMilli(i * width.toMillis()),
            count: values.size(),
            mean : values ? values.sum(0G) / values.size() : null,
        ]
    }
}
// snippet:check
def start = Instant.parse('2026-01-01T00:00:00Z')
def readings = [[at: start, value: 2], [at: start + 20, value: 4], [at: start + 130, value: 7]]
buckets(readings, Duration.ofMinutes(1)).each { println "$it.start $it.count $it.mean" }
println buckets([[at: start, value: 1_500_000_000]] * 2, Duration.ofMinutes(1))*.mean.first()
