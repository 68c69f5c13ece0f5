// snippet:doc https://kotlinlang.org/docs/coroutines-basics.html Coroutines basics
// snippet:needs Kotlin 1.6
// snippet:into It needs kotlinx-coroutines-core.
// snippet:prints done after 3
// snippet:prints down
import java.io.IOException
import kotlin.random.Random
import kotlin.time.Duration
import kotlinx.coroutines.delay

/** Tries again after an [IOException], each time waiting up to twice as long. */
suspend fun <T> retry(attempts: Int, firstDelay: Duration, block: suspend () -> T): T {
    var limit = firstDelay
    repeat(attempts - 1) {
        try {
            return block()
        } catch (e: IOException) { // a cancellation is no IOException and passes through
            System.err.println("will try again: ${e.message}")
        }
        delay(limit * Random.nextDouble())
        limit *= 2
    }
    return block() // the last attempt may throw
}
// snippet:usage
fun main() = kotlinx.coroutines.runBlocking {
    var calls = 0
    println(retry(4, Duration.parse("1ms")) { if (++calls < 3) throw IOException("busy") else "done after $calls" })
    println(runCatching { retry(2, Duration.parse("1ms")) { throw IOException("down") } }.exceptionOrNull()?.message)
}
