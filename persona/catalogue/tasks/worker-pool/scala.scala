// snippet:doc https://docs.scala-lang.org/overviews/core/futures.html Futures and promises
// snippet:needs Scala 3
// snippet:prints Vector(1, 4, 9, 16, 25)
// snippet:prints Failure(java.lang.ArithmeticException: / by zero)
import java.util.concurrent.Executors
import scala.concurrent.duration.*
import scala.concurrent.{Await, ExecutionContext, Future}

/** Maps on a pool of `workers` threads; the results keep their order, and the
  * first failure is thrown here.
  */
def parallelMap[A, B](items: Seq[A], workers: Int, limit: FiniteDuration)(f: A => B): Seq[B] =
  val pool = Executors.newFixedThreadPool(workers)
  given ExecutionContext = ExecutionContext.fromExecutor(pool)
  try Await.result(Future.traverse(items)(item => Future(f(item))), limit)
  finally pool.shutdownNow()
// snippet:check
@main def check(): Unit =
  println(parallelMap(1 to 5, 2, 5.seconds)(n => n * n))
  println(scala.util.Try(parallelMap(Seq(1, 0), 2, 5.seconds)(10 / _)))
