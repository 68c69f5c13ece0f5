// snippet:doc https://kotlinlang.org/docs/strings.html Strings
// snippet:prints checkout │████████ 12.0
// snippet:prints search   │████████████████████ 30.5
// snippet:prints login    │ 0.0
import kotlin.math.roundToInt

/** One line per entry; the longest bar is [width] characters. */
fun Map<String, Double>.barChart(width: Int = 20): String {
    val labelWidth = keys.maxOfOrNull { it.length } ?: return "(no data)"
    val highest = values.max().coerceAtLeast(Double.MIN_VALUE)
    return entries.joinToString("\n") { (label, value) ->
        val bar = "█".repeat((value / highest * width).roundToInt().coerceAtLeast(0))
        "${label.padEnd(labelWidth)} │$bar $value"
    }
}
// snippet:check
fun main() = println(mapOf("checkout" to 12.0, "search" to 30.5, "login" to 0.0).barChart())
