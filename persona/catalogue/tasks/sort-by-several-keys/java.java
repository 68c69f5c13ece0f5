// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Comparator.html java.util.Comparator
// snippet:needs Java 16
// snippet:prints [Cy, ann, Eve, Zoe, Bo]
import java.text.Collator;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var day = LocalDate.of(2026, 1, 1);
        var people = List.of(new Person("Zoe", day, 7), new Person("ann", day, 7), new Person("Bo", day, null),
                new Person("Eve", day, 7), new Person("Cy", day.minusDays(1), 9));
        System.out.println(Person.ranked(people, Locale.FRENCH).stream().map(Person::name).toList());
    }
}
// snippet:end

record Person(String name, LocalDate joined, Integer score) {

    /** Best score first, people without one last, then by date, then by name as people sort. */
    static Comparator<Person> ranking(Locale locale) {
        return Comparator
                .comparing(Person::score, Comparator.nullsLast(Comparator.reverseOrder()))
                .thenComparing(Person::joined)
                .thenComparing(Person::name, Collator.getInstance(locale));
    }

    static List<Person> ranked(List<Person> people, Locale locale) {
        return people.stream().sorted(ranking(locale)).toList(); // stable
    }
}
