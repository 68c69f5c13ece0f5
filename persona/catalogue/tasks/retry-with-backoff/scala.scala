// snippet:doc https://www.scala-lang.org/api/3.x/scala/util/Try.html scala.util.Try
// snippet:prints Success(done after 3)
// snippet:prints Failure(java.lang.RuntimeException: down)
import scala.annotation.tailrec
import scala.concurrent.duration.*
import scala.util.{Failure, Random, Success, Try}

/** Runs an operation until it works, at most `attempts` times, with full jitter. */
@tailrec
def retry[A](attempts: Int, delay: FiniteDuration)(operation: => A): Try[A] =
  Try(operation) match
    case success @ Success(_)                     => success
    case failure @ Failure(_) if attempts <= 1    => failure
    case Failure(_) =>
      Thread.sleep(Random.nextLong(delay.toMillis + 1))
      retry(attempts - 1, delay * 2)(operation)
// snippet:check
@main def check(): Unit =
  var calls = 0
  println(retry(5, 1.milli) { calls += 1; if calls < 3 then sys.error("busy") else s"done after $calls" })
  println(retry(2, 1.milli)(sys.error("down")))
