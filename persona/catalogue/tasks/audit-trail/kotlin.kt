// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.io.path/write-text.html Path.writeText
// snippet:needs Kotlin 1.6
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
// snippet:usage
// snippet:prints ada	limit	100	200
// snippet:prints bo	note	\N	a\nb
fun main() {
    val file = kotlin.io.path.createTempFile()
    val trail = AuditTrail(file)
    trail.record("ada", "limit", "100", "200")
    trail.record("bo", "note", null, "a\nb")
    file.toFile().forEachLine { println(it.substringAfter("\t")) }
}
