// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/temporal/TemporalAdjuster.html java.time.temporal.TemporalAdjuster
// snippet:needs Java 16
// snippet:prints 2026-05-04
// snippet:prints 4
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

record WorkCalendar(Set<LocalDate> holidays) {
    private static final Set<DayOfWeek> WEEKEND = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);

    boolean isWorkday(LocalDate day) {
        return !WEEKEND.contains(day.getDayOfWeek()) && !holidays.contains(day);
    }

    /** The date {@code count} working days, at least one, after {@code start}, which does not count. */
    LocalDate plus(LocalDate start, int count) {
        return Stream.iterate(start.plusDays(1), day -> day.plusDays(1))
                .filter(this::isWorkday)
                .skip(count - 1L)
                .findFirst().orElseThrow();
    }

    /** Working days from {@code start} up to, but without, {@code end}, which is not before it. */
    long between(LocalDate start, LocalDate end) {
        return start.datesUntil(end).filter(this::isWorkday).count();
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var calendar = new WorkCalendar(Set.of(LocalDate.of(2026, 5, 1)));
        System.out.println(calendar.plus(LocalDate.of(2026, 4, 30), 1));
        System.out.println(calendar.between(LocalDate.of(2026, 4, 27), LocalDate.of(2026, 5, 4)));
    }
}
