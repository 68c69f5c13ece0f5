// snippet:doc https://www.scala-lang.org/api/3.x/scala/concurrent/duration/Duration.html scala.concurrent.duration
// snippet:needs Scala 3
// snippet:prints p50=100 milliseconds p95=190 milliseconds p99=198 milliseconds p100=200 milliseconds
// snippet:prints 42 true
import scala.concurrent.duration.*

/** Nearest rank, p from 0 to 100: a value that was really measured; none without samples. */
def percentile(sorted: IndexedSeq[FiniteDuration], p: Double): Option[FiniteDuration] =
  val rank = math.ceil(p * sorted.size / 100 - 1e-7).toInt.max(1) // 99.9 * 41000 / 100 is above 40959
  sorted.lift(rank - 1)

def summary(samples: Iterable[FiniteDuration]): String =
  val sorted = samples.toVector.sorted
  List(50.0, 95.0, 99.0, 100.0)
    .flatMap(p => percentile(sorted, p).map(value => f"p$p%.0f=$value"))
    .mkString(" ")

extension [A](operation: => A)
  /** The result with the time it took. */
  def timed: (A, FiniteDuration) =
    val start = System.nanoTime()
    (operation, (System.nanoTime() - start).nanos)
// snippet:check
@main def check(): Unit =
  println(summary((1 to 200).map(_.millis)))
  assert(percentile((1 to 41000).map(_.millis), 99.9).contains(40959.millis))
  val (result, time) = { Thread.sleep(3); 42 }.timed
  println(s"$result ${time >= 3.millis}")
