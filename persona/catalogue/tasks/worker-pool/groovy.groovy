// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ExecutorService.html ExecutorService
// snippet:prints [1, 4, 9, 16]
// snippet:prints / by zero
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** Maps on a pool of threads; the results keep their order. What is not done after a minute in all is cancelled. */
def <T, R> List<R> collectParallel(Collection<T> items, int threads, Closure<R> work) {
    def pool = Executors.newFixedThreadPool(threads)
    try {
        def jobs = items.collect { item -> ({ work(item) } as Callable<R>) }
        pool.invokeAll(jobs, 1, TimeUnit.MINUTES)*.get() // an ExecutionException has what a job threw
    } finally {
        pool.shutdownNow()
    }
}
// snippet:usage
println collectParallel([1, 2, 3, 4], 2) { it * it }
try {
    collectParallel([1, 0], 2) { 10.intdiv(it) }
} catch (java.util.concurrent.ExecutionException e) {
    println e.cause.message
}
