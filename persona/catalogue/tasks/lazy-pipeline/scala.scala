// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/immutable/LazyList.html LazyList
// snippet:prints List(1009, 1013, 1019, 1021)
// snippet:prints List(disk, net)
import scala.io.Source

/** Primes, as far as an Int holds them: a list that is computed only as far as somebody looks. */
val primes: LazyList[Int] =
  2 #:: LazyList.from(3, 2).filter(n => primes.takeWhile(p => p <= n / p).forall(n % _ != 0))

/** The first distinct errors of a log of any size; reading stops there. */
def firstErrors(log: Source, count: Int): List[String] =
  log
    .getLines()
    .collect { case s"$_ ERROR $message" => message }
    .distinct
    .take(count)
    .toList
// snippet:check
@main def check(): Unit =
  println(primes.dropWhile(_ < 1000).take(4).toList)
  println(firstErrors(Source.fromString("1 INFO a\n2 ERROR disk\n3 ERROR disk\n4 ERROR net\n5 ERROR cpu"), 2))
