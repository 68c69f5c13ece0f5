// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.time/-duration/-companion/parse-or-null.html Duration.parseOrNull
// snippet:prints all 6 rows pass
import kotlin.system.exitProcess
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

private data class Case(val input: String, val expected: Duration?)

private val cases = listOf(
    Case("90s", 90.seconds),
    Case("1h 30m", 90.minutes),
    Case("-10s", (-10).seconds),
    Case("", null), // null: must be refused
    Case("90", null),
    Case("1 hour", null),
)

/** Tells the failures of all rows, not only the first one. With JUnit: @ParameterizedTest. */
fun main() {
    val failures = cases.mapNotNull { (input, expected) ->
        val actual = runCatching { Duration.parseOrNull(input) }.getOrElse { it } // an exception is a failure
        if (actual == expected) null else "\"$input\": expected $expected, got $actual"
    }
    failures.forEach(System.err::println)
    if (failures.isNotEmpty()) exitProcess(1)
    println("all ${cases.size} rows pass")
}
