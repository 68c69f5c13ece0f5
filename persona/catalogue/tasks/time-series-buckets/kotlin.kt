// snippet:doc https://kotlinlang.org/docs/collection-grouping.html Grouping
// snippet:prints 2026-01-01T00:00:00Z 2 3.0
// snippet:prints 2026-01-01T00:01:00Z 0 null
// snippet:prints 2026-01-01T00:02:00Z 1 7.0
import java.time.Duration
import java.time.Instant

data class Reading(val at: Instant, val value: Double)

data class Bucket(val start: Instant, val values: List<Double>) {
    val mean get() = if (values.isEmpty()) null else values.average()
}

/** Equal intervals of whole milliseconds from the first reading to the last, gaps included. */
fun List<Reading>.buckets(width: Duration): List<Bucket> {
    if (isEmpty()) return emptyList()
    fun index(reading: Reading) = reading.at.toEpochMilli().floorDiv(width.toMillis())
    val groups = groupBy(::index) { it.value }
    return (groups.keys.min()..groups.keys.max()).map { i ->
        Bucket(Instant.ofEpochMilli(i * width.toMillis()), groups[i].orEmpty())
    }
}
// snippet:check
fun main() {
    val start = Instant.parse("2026-01-01T00:00:00Z")
    val readings = listOf(Reading(start, 2.0), Reading(start.plusSeconds(20), 4.0), Reading(start.plusSeconds(130), 7.0))
    readings.buckets(Duration.ofMinutes(1)).forEach { println("${it.start} ${it.values.size} ${it.mean}") }
}
