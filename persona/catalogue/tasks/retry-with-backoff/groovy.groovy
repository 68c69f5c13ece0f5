// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/core-closures.html Closures
// snippet:prints done after 3
// snippet:prints down
/** Calls the closure with the attempt's number, and again after an IOException, at most `attempts` times, one or
 *  more; waits a random part of a doubling delay. */
def <T> T retry(Map options = [:], Closure<T> action) {
    int attempts = options.getOrDefault('attempts', 5)
    long delay = options.getOrDefault('delayMillis', 100)
    for (int attempt = 1; ; attempt++) {
        try {
            return action(attempt)
        } catch (IOException e) {
            if (attempt >= attempts) throw e
            sleep((long) (Math.random() * delay))
            delay *= 2
        }
    }
}
// snippet:usage
println retry(delayMillis: 1) { attempt ->
    if (attempt < 3) throw new IOException('busy')
    "done after $attempt"
}
try {
    retry(attempts: 2, delayMillis: 1) { throw new IOException('down') }
} catch (IOException e) {
    println e.message
}
