// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/util/List.html Groovy JDK: List
// snippet:prints p50=100 ms, p95=190 ms, p99=198 ms, p100=200 ms
// snippet:prints true
/** Nearest rank, p from 0 to 100: a sample that was really measured; null without samples. */
Number percentile(List<Number> sorted, Number p) {
    if (!sorted) return null
    int rank = Math.ceil(p / 100 * sorted.size())
    sorted[Math.max(rank, 1) - 1]
}

/** One line for the build log. */
String summary(Collection<Number> samples) {
    def sorted = samples.toSorted()
    [50, 95, 99, 100].collect { "p$it=${percentile(sorted, it)} ms" }.join(', ')
}

/** Runs a step and returns its time in milliseconds. */
long measure(Closure step) {
    long start = System.nanoTime()
    step()
    (System.nanoTime() - start).intdiv(1_000_000)
}
// snippet:check
println summary((200..1).toList())
println measure { sleep 5 } >= 5
assert percentile((1..41000).toList(), 99.9) == 40959
assert percentile(new AbstractList<Integer>() { Integer get(int i) { i }; int size() { 30_000_000 } }, 99) == 29_699_999
