// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/Files.html java.nio.file.Files
// snippet:needs Scala 3, Java 11
// snippet:prints 2026-01-31T12:00:00Z | ada | limit | 100 | 200
// snippet:prints 2026-01-31T12:00:00Z | bo | note |  | a\nb
import java.nio.file.StandardOpenOption.{APPEND, CREATE, DSYNC}
import java.nio.file.{Files, Path}
import java.time.Clock

final case class Change(author: String, field: String, from: String, to: String)

/** Adds one line per change to a file that is only ever added to. */
final class AuditTrail(file: Path, clock: Clock):
  def record(change: Change): Unit = synchronized {
    val Change(author, field, from, to) = change
    val columns = List(clock.instant().toString, author, field, from, to).map(escape)
    Files.writeString(file, columns.mkString("", "\t", "\n"), CREATE, APPEND, DSYNC)
  }

  /** A value can neither start a new line nor a new column. */
  private def escape(text: String): String = text.flatMap {
    case '\\' => "\\\\"
    case '\n' => "\\n"
    case '\r' => "\\r"
    case '\t' => "\\t"
    case char => char.toString
  }
// snippet:check
@main def check(): Unit =
  val file = Files.createTempFile("snippet", ".log")
  val trail = AuditTrail(file, Clock.fixed(java.time.Instant.parse("2026-01-31T12:00:00Z"), java.time.ZoneOffset.UTC))
  trail.record(Change("ada", "limit", "100", "200"))
  trail.record(Change("bo", "note", "", "a\nb"))
  Files.readAllLines(file).forEach(line => println(line.replace("\t", " | ")))
  Files.delete(file)
