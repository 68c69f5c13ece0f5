// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/time/LocalDate.html Groovy JDK: LocalDate
// snippet:needs Groovy 2.5
// snippet:prints 2026-05-04
// snippet:prints 5
import java.time.DayOfWeek
import java.time.LocalDate

/** Working days are Monday to Friday, without the holidays. */
class WorkCalendar {
    Set<LocalDate> holidays = []

    boolean isCase(LocalDate day) { // `day in calendar`
        day.dayOfWeek < DayOfWeek.SATURDAY && !(day in holidays)
    }

    /** The date a number of working days later; the start does not count. */
    LocalDate after(LocalDate start, int count) {
        def day = start
        while (count > 0) {
            day++ // Groovy knows the next day
            if (day in this) count--
        }
        day
    }

    /** Working days from the start up to and including the end, which is not before it. */
    int between(LocalDate start, LocalDate end) {
        (start..end).count { it in this } as int
    }
}
// snippet:usage
def calendar = new WorkCalendar(holidays: [LocalDate.of(2026, 5, 1)])
println calendar.after(LocalDate.of(2026, 4, 30), 1)
println calendar.between(LocalDate.of(2026, 4, 27), LocalDate.of(2026, 5, 4))
