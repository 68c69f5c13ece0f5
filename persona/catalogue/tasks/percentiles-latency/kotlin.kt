// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.time/-duration/ kotlin.time.Duration
// snippet:needs Kotlin 1.6
import kotlin.math.ceil
import kotlin.time.Duration
// snippet:usage
import kotlin.time.Duration.Companion.milliseconds
// snippet:end

/** Nearest rank: a value that was really measured, or null without samples. */
fun List<Duration>.percentile(percent: Double): Duration? {
    require(percent in 0.0..100.0) { "percent must be from 0 to 100, not $percent" }
    // 99.9 * 41000 / 100 is above 40959.
    val rank = ceil(percent * size / 100 - 1e-7).toInt().coerceAtLeast(1)
    return sorted().getOrNull(rank - 1)
}

fun List<Duration>.summary(): String =
    listOf(50.0, 95.0, 99.0, 100.0).joinToString { "p${it.toInt()} = ${percentile(it)}" }
// snippet:usage
// snippet:prints p50 = 100ms, p95 = 190ms, p99 = 198ms, p100 = 200ms
// snippet:prints null
fun main() {
    println((1..200).map { it.milliseconds }.shuffled().summary())
    println(emptyList<Duration>().percentile(50.0))
    // snippet:check
    check((1..41000).map { it.milliseconds }.percentile(99.9) == 40959.milliseconds)
    // snippet:usage
}
