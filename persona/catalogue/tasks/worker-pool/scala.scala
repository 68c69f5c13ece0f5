// snippet:doc https://docs.scala-lang.org/overviews/core/futures.html Futures and promises
// snippet:needs Scala 3
// snippet:prints Vector(1, 4, 9, 16, 25)
// snippet:prints Failure(java.util.concurrent.ExecutionException: java.lang.ArithmeticException: / by zero)
// snippet:prints Failure(java.util.concurrent.ExecutionException: java.lang.StackOverflowError)
// snippet:prints the rest was not begun: true
// snippet:prints TimeoutException
// snippet:prints noise: 0
import java.util.concurrent.{ExecutionException, Executors}
import java.util.concurrent.atomic.AtomicReference
import scala.concurrent.duration.*
import scala.concurrent.{Await, ExecutionContext, Future}

/** Maps on a pool of `workers` threads; the results keep their order, and the
  * first failure is thrown here as the cause of an ExecutionException, and
  * what has not begun by then never does.
  */
def parallelMap[A, B](items: Seq[A], workers: Int, limit: FiniteDuration)(f: A => B): Seq[B] =
  val pool = Executors.newFixedThreadPool(workers)
  val onPool = ExecutionContext.fromExecutor(pool)
  given ExecutionContext = ExecutionContext.parasitic // joins the results, even after the pool has ended
  val first = AtomicReference[ExecutionException]()
  def run(item: A): B =
    if first.get != null then throw first.get // not begun: it fails as the first one did
    try f(item)
    catch
      case e: Throwable =>
        first.compareAndSet(null, ExecutionException(e)) // an Error itself would not complete its Future
        throw first.get
  try Await.result(Future.traverse(items)(item => Future(run(item))(using onPool)), limit)
  finally pool.shutdownNow()
// snippet:check
@main def check(): Unit =
  println(parallelMap(1 to 5, 2, 5.seconds)(n => n * n))
  println(scala.util.Try(parallelMap(Seq(1, 0), 2, 5.seconds)(10 / _)))
  println(scala.util.Try(parallelMap(Seq(1), 2, 5.seconds)(_ => throw StackOverflowError())))
  val begun = java.util.concurrent.atomic.AtomicInteger()
  scala.util.Try(parallelMap(0 to 99, 2, 5.seconds) { n => begun.incrementAndGet(); Thread.sleep(2); 1 / n })
  println(s"the rest was not begun: ${begun.get < 20}")
  val noise = java.io.ByteArrayOutputStream()
  System.setErr(java.io.PrintStream(noise))
  println(scala.util.Try(parallelMap(1 to 4, 2, 50.millis)(_ => Thread.sleep(5000))).failed.get.getClass.getSimpleName)
  Thread.sleep(200)
  println(s"noise: ${noise.size}")
