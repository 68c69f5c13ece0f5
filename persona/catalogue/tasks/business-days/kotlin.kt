// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.sequences/generate-sequence.html generateSequence
import java.time.DayOfWeek.SATURDAY
import java.time.DayOfWeek.SUNDAY
import java.time.LocalDate

class WorkCalendar(private val holidays: Set<LocalDate>) {
    operator fun contains(day: LocalDate) = day.dayOfWeek !in WEEKEND && day !in holidays

    private fun daysAfter(start: LocalDate) = generateSequence(start.plusDays(1)) { it.plusDays(1) }

    /** The date [count] working days, at least one, after [start], which does not count. */
    fun deadline(start: LocalDate, count: Int): LocalDate =
        daysAfter(start).filter { it in this }.elementAt(count - 1)

    /** Working days after [start], up to and including [end]. */
    fun between(start: LocalDate, end: LocalDate): Int =
        daysAfter(start).takeWhile { it <= end }.count { it in this }

    private companion object {
        val WEEKEND = setOf(SATURDAY, SUNDAY)
    }
}
// snippet:usage
// snippet:prints 2026-05-04
// snippet:prints 4
fun main() {
    val calendar = WorkCalendar(setOf(LocalDate.of(2026, 5, 1)))
    println(calendar.deadline(LocalDate.of(2026, 4, 30), 1))
    println(calendar.between(LocalDate.of(2026, 4, 27), LocalDate.of(2026, 5, 4)))
}
