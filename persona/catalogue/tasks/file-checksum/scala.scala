// snippet:doc https://www.scala-lang.org/api/3.x/scala/util/Using$.html scala.util.Using
// snippet:needs Scala 3
// snippet:prints Success(5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03)
// snippet:prints true
import java.nio.file.{Files, Path}
import java.security.MessageDigest
import scala.util.{Try, Using}

/** SHA-256 in hexadecimal, read in blocks: a file of any size. */
def sha256(file: Path): Try[String] =
  Using(Files.newInputStream(file)) { in =>
    val digest = MessageDigest.getInstance("SHA-256")
    val block = new Array[Byte](64 * 1024)
    Iterator.continually(in.read(block)).takeWhile(_ >= 0).foreach(digest.update(block, 0, _))
    digest.digest().map("%02x".format(_)).mkString
  }
// snippet:check
@main def check(): Unit =
  val file = Files.createTempFile("snippet", null)
  Files.writeString(file, "hello\n")
  println(sha256(file))
  Files.delete(file)
  println(sha256(file).isFailure)
