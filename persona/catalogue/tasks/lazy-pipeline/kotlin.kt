// snippet:doc https://kotlinlang.org/docs/sequences.html Sequences
// snippet:prints [144, 610, 2584]
// snippet:prints [disk, net]
import java.io.BufferedReader

/** Fibonacci numbers, right up to the 93rd (Long); `sequence` pauses at every `yield`. */
fun fibonacci(): Sequence<Long> = sequence {
    var pair = 0L to 1L
    while (true) {
        yield(pair.first)
        pair = pair.second to pair.first + pair.second
    }
}

/** The first distinct texts after " ERROR " in a log of any size: reading stops when they are found. */
fun firstErrors(log: BufferedReader, count: Int): List<String> = log.useLines { lines ->
    lines.filter { " ERROR " in it }
        .map { it.substringAfter(" ERROR ") }
        .distinct()
        .take(count)
        .toList()
}
// snippet:usage
fun main() {
    println(fibonacci().dropWhile { it < 100 }.filter { it % 2 == 0L }.take(3).toList())
    println(firstErrors("1 INFO a\n2 ERROR disk\n3 ERROR disk\n4 ERROR net\n5 ERROR cpu".reader().buffered(), 2))
}
