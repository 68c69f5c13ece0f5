// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.io.path/write-text.html Path.writeText
// snippet:prints 2026-01-31T12:00:00Z | ada | limit | 100 | 200
// snippet:prints 2026-01-31T12:00:00Z | bo | note | \N | a\nb
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.DSYNC
import java.time.Clock
import java.time.Instant
import kotlin.io.path.writeText

/** Who changed what, from what, to what. Only ever added to, one line each. */
class AuditTrail(private val file: Path, private val clock: Clock = Clock.systemUTC()) {
    @Synchronized
    fun record(author: String, field: String, from: String?, to: String?) {
        val columns = listOf(Instant.now(clock), author, field, from, to)
        val line = columns.joinToString("\t", postfix = "\n") { escape(it?.toString()) }
        file.writeText(line, options = arrayOf(CREATE, APPEND, DSYNC)) // on the disk on return
    }

    /** A value can neither start a new line nor a new column; none at all is \N. */
    private fun escape(text: String?) = text
        ?.replace("\\", "\\\\")?.replace("\n", "\\n")?.replace("\r", "\\r")?.replace("\t", "\\t")
        ?: "\\N"
}
// snippet:check
fun main() {
    val file = kotlin.io.path.createTempFile()
    val trail = AuditTrail(file, Clock.fixed(Instant.parse("2026-01-31T12:00:00Z"), java.time.ZoneOffset.UTC))
    trail.record("ada", "limit", "100", "200")
    trail.record("bo", "note", null, "a\nb")
    java.nio.file.Files.readAllLines(file).forEach { println(it.replace("\t", " | ")) }
    java.nio.file.Files.delete(file)
}
