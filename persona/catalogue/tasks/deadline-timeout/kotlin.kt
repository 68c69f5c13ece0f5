// snippet:doc https://kotlinlang.org/docs/cancellation-and-timeouts.html Cancellation and timeouts
// snippet:prints quick
// snippet:prints 588895
// snippet:prints null
// snippet:prints null
// snippet:prints true
import kotlin.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withTimeoutOrNull

/**
 * The output of a command, also of one that fails, or null if it took longer than [limit]. A blocking
 * call is made cancellable by running it interruptibly. The process and what it
 * started are ended whatever happens: any of them would keep the pipe open.
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
            process.descendants().forEach { it.destroyForcibly() }
            process.destroyForcibly()
        }
    }
// snippet:check
fun main() = kotlinx.coroutines.runBlocking {
    println(outputOf(Duration.parse("10s"), "echo", "quick")?.trim())
    println(outputOf(Duration.parse("10s"), "seq", "100000")?.length)
    println(outputOf(Duration.parse("50ms"), "sleep", "5"))
    val begin = System.nanoTime()
    println(outputOf(Duration.parse("500ms"), "sh", "-c", "trap '' TERM; sleep 30; true"))
    println(System.nanoTime() - begin < 15_000_000_000)
}
