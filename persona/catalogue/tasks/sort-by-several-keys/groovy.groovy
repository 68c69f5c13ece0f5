// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/lang/Iterable.html#sort(boolean,%20groovy.lang.Closure) Groovy JDK: sort
// snippet:prints [api, ui, fix, main]
import groovy.transform.Immutable

@Immutable
class Build {
    String branch
    int failures
    Date started
}

/** Most failures first, then the latest, then by branch. `<=>` compares, and
 *  the Elvis operator moves on when two are equal, because 0 is false. */
List<Build> worstFirst(Collection<Build> builds) {
    builds.sort(false) { a, b -> // false: leaves the original alone
        b.failures <=> a.failures ?: b.started <=> a.started ?: a.branch <=> b.branch
    }
}
// snippet:check
def day = { String text -> Date.parse('yyyy-MM-dd', text) }
println worstFirst([
        new Build('main', 0, day('2026-01-03')), new Build('fix', 3, day('2026-01-01')),
        new Build('ui', 3, day('2026-01-02')), new Build('api', 3, day('2026-01-02'))])*.branch
