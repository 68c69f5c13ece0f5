// snippet:doc https://kotlinlang.org/docs/cancellation-and-timeouts.html Cancellation and timeouts
// snippet:prints quick
// snippet:prints 588895
// snippet:prints null
import kotlin.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withTimeoutOrNull

/**
 * The output of a command, or null if it took longer than [limit]. A blocking
 * call is made cancellable by running it interruptibly, and the process is
 * ended whatever happens.
 */
suspend fun outputOf(limit: Duration, vararg command: String): String? =
    withTimeoutOrNull(limit) {
        val process = ProcessBuilder(*command).redirectErrorStream(true).start()
        try {
            // Read while it runs: a full pipe would stop the process, and waitFor for ever.
            val output = async(Dispatchers.IO) { process.inputStream.bufferedReader().readText() }
            runInterruptible(Dispatchers.IO) { process.waitFor() }
            output.await()
        } finally {
            process.destroy()
        }
    }
// snippet:check
fun main() = kotlinx.coroutines.runBlocking {
    println(outputOf(Duration.parse("10s"), "echo", "quick")?.trim())
    println(outputOf(Duration.parse("10s"), "seq", "100000")?.length)
    println(outputOf(Duration.parse("50ms"), "sleep", "5"))
}
