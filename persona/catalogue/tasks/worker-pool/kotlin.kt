// snippet:doc https://kotlinlang.org/docs/composing-suspending-functions.html Composing suspending functions
// snippet:needs Kotlin 1.6
// snippet:into It needs kotlinx-coroutines-core.
// snippet:prints [1, 4, 9, 16, 25, 36] peak 2
// snippet:prints / by zero
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit

/**
 * Maps with at most [limit] calls at the same time and keeps the order. The
 * first failure cancels all others: structured concurrency leaves nothing behind.
 */
suspend fun <T, R> Iterable<T>.mapConcurrently(
    limit: Int,
    transform: suspend (T) -> R,
): List<R> = coroutineScope {
    val permits = Semaphore(limit)
    map { item -> async { permits.withPermit { transform(item) } } }.awaitAll()
}
// snippet:usage
fun main() = kotlinx.coroutines.runBlocking {
    var running = 0
    var peak = 0
    val squares = (1..6).mapConcurrently(2) {
        running++
        peak = maxOf(peak, running)
        kotlinx.coroutines.delay(5)
        running--
        it * it
    }
    println("$squares peak $peak")
    println(runCatching { listOf(1, 0).mapConcurrently(2) { 10 / it } }.exceptionOrNull()?.message)
}
