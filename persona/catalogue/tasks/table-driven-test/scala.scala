// snippet:doc https://docs.scala-lang.org/scala3/book/tools-sbt.html Testing with sbt
// snippet:needs Scala 3
// snippet:prints 0 failures

def parsePort(text: String): Option[Int] =
  text.toIntOption.filter(1 to 65535 contains _)

final case class Case(name: String, input: String, expected: Option[Int])

val cases = List(
  Case("smallest", "1", Some(1)),
  Case("largest", "65535", Some(65535)),
  Case("zero is no port", "0", None),
  Case("too large", "65536", None),
  Case("text after it", "80x", None),
  Case("empty", "", None)
)

/** Tells of every row that fails, not only of the first one. */
@main def check(): Unit =
  val failures = for
    Case(name, input, expected) <- cases
    actual = parsePort(input)
    if actual != expected
  yield s"$name: \"$input\" gave $actual instead of $expected"
  failures.foreach(println)
  println(s"${failures.size} failures")
  if failures.nonEmpty then sys.exit(1)
