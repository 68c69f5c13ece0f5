// snippet:doc https://kotlinlang.org/docs/cancellation-and-timeouts.html Cancellation and timeouts
// snippet:prints quick
// snippet:prints null
import kotlin.time.Duration
import kotlinx.coroutines.Dispatchers
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
            runInterruptible(Dispatchers.IO) {
                process.waitFor()
                process.inputStream.bufferedReader().readText()
            }
        } finally {
            process.destroy()
        }
    }
// snippet:check
fun main() = kotlinx.coroutines.runBlocking {
    println(outputOf(Duration.parse("10s"), "echo", "quick")?.trim())
    println(outputOf(Duration.parse("50ms"), "sleep", "5"))
}
