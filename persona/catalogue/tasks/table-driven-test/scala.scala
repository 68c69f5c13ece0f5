// snippet:doc https://docs.scala-lang.org/scala3/book/tools-sbt.html Testing with sbt
// snippet:prints 0 failures
import scala.util.Try

def parsePort(text: String): Option[Int] =
  Try(text.toInt).toOption.filter(port => port >= 1 && port <= 65535)

final case class Case(name: String, input: String, expected: Option[Int])

val cases = List(
  Case("smallest", "1", Some(1)),
  Case("largest", "65535", Some(65535)),
  Case("zero is no port", "0", None),
  Case("too large", "65536", None),
  Case("text after it", "80x", None),
  Case("empty", "", None)
)

/** The failures of all rows, not only the first one. */
def failures: List[String] =
  for
    Case(name, input, expected) <- cases
    actual = parsePort(input)
    if actual != expected
  yield s"$name: \"$input\" gave $actual instead of $expected"
// snippet:check
@main def check(): Unit = println(s"${failures.size} failures")
