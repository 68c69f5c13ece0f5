// snippet:doc https://kotlinlang.org/docs/iterators.html Iterators
// snippet:prints Options(files=[a.txt, b.txt], top=3, verbose=true)
// snippet:prints --top wants a number from 1
// snippet:prints unknown option -q
// snippet:prints usage: words [-v] [--top N] FILE...
data class Options(val files: List<String>, val top: Int = 10, val verbose: Boolean = false)

class UsageError(message: String) : IllegalArgumentException(message)

private const val USAGE = "usage: words [-v] [--top N] FILE..."

fun parseOptions(args: List<String>): Options {
    var options = Options(emptyList())
    val rest = args.iterator()
    for (arg in rest) {
        options = when {
            arg == "-v" || arg == "--verbose" -> options.copy(verbose = true)
            arg == "--top" -> {
                val number = if (rest.hasNext()) rest.next().toIntOrNull() else null
                if (number == null || number < 1) throw UsageError("--top wants a number from 1")
                options.copy(top = number)
            }
            arg == "-h" || arg == "--help" -> throw UsageError(USAGE)
            arg.startsWith("-") -> throw UsageError("unknown option $arg\n$USAGE")
            else -> options.copy(files = options.files + arg)
        }
    }
    if (options.files.isEmpty()) throw UsageError(USAGE)
    return options
}
// snippet:check
fun main() {
    println(parseOptions(listOf("-v", "--top", "3", "a.txt", "b.txt")))
    for (bad in listOf(listOf("--top", "x", "a"), listOf("-q"), emptyList())) {
        println(runCatching { parseOptions(bad) }.exceptionOrNull()?.message?.lines()?.first())
    }
}
