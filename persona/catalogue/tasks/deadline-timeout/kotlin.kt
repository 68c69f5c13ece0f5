// snippet:doc https://kotlinlang.org/docs/cancellation-and-timeouts.html Cancellation and timeouts
// snippet:needs Kotlin 1.6, Java 9
// snippet:into It needs kotlinx-coroutines-core.
import kotlin.io.path.createTempFile
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withTimeoutOrNull

/**
 * The output of a command, also of one that fails, or null if it took longer than [limit].
 * Then the process is killed, with its descendants.
 */
suspend fun outputOf(limit: Duration, vararg command: String): String? {
    // A file and not a pipe: something left in the background would keep a pipe open, and the reader waiting.
    val output = createTempFile()
    try {
        val process = ProcessBuilder(*command).redirectErrorStream(true).redirectOutput(output.toFile()).start()
        try {
            return withTimeoutOrNull(limit) {
                runInterruptible(Dispatchers.IO) { // blocking calls, made cancellable
                    process.waitFor()
                    output.readText()
                }
            }
        } finally {
            val descendants = process.descendants().toList()
            process.destroyForcibly() // first, or a shell would start its next command
            descendants.forEach { it.destroyForcibly() }
        }
    } finally {
        output.toFile().delete() // it stays where Windows still has it open
    }
}
// snippet:usage
// snippet:prints quick
// snippet:prints null
fun main() = kotlinx.coroutines.runBlocking {
    println(outputOf(Duration.parse("10s"), "echo", "quick")?.trim()) // Unix has it, and sleep
    println(outputOf(Duration.parse("50ms"), "sleep", "5"))
    // snippet:check
    // snippet:prints 588895
    // snippet:prints null
    // snippet:prints left
    // snippet:prints true
    println(outputOf(Duration.parse("10s"), "seq", "100000")?.length)
    val begin = System.nanoTime()
    println(outputOf(Duration.parse("500ms"), "sh", "-c", "trap '' TERM; sleep 30; true"))
    println(outputOf(Duration.parse("10s"), "sh", "-c", "echo left; sleep 30 &")?.trim())
    println(System.nanoTime() - begin < 15_000_000_000)
    // snippet:usage
}
