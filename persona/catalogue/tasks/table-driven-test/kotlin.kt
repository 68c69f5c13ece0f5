// snippet:doc https://kotlinlang.org/docs/jvm-test-using-junit.html Test code using JUnit
// snippet:prints failures: []
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

private data class Case(val input: String, val expected: Duration?)

private val cases = listOf(
    Case("90s", 90.seconds),
    Case("1h 30m", 90.minutes),
    Case("PT1M", 1.minutes),
    Case("-10s", (-10).seconds),
    Case("", null), // null: must be refused
    Case("90", null),
    Case("1 hour", null),
)

/** The failures of all rows, not only the first one. */
fun failures(): List<String> = cases.mapNotNull { (input, expected) ->
    val actual = Duration.parseOrNull(input)
    if (actual == expected) null else "\"$input\": expected $expected, got $actual"
}
// snippet:check
fun main() = println("failures: ${failures()}")
