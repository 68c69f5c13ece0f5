// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin/require.html require
// snippet:prints Options(files=[a.txt, b.txt], top=3, verbose=true)
// snippet:prints --top wants a number from 1
// snippet:prints unknown option -q
// snippet:prints which file?
data class Options(val files: List<String>, val top: Int = 10, val verbose: Boolean = false)

class UsageError(message: String) : IllegalArgumentException(message)

/** `words [-v] [--top N] FILE...` */
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
            arg.startsWith("-") -> throw UsageError("unknown option $arg")
            else -> options.copy(files = options.files + arg)
        }
    }
    if (options.files.isEmpty()) throw UsageError("which file?")
    return options
}
// snippet:check
fun main() {
    println(parseOptions(listOf("-v", "--top", "3", "a.txt", "b.txt")))
    for (bad in listOf(listOf("--top", "x", "a"), listOf("-q"), emptyList())) {
        println(runCatching { parseOptions(bad) }.exceptionOrNull()?.message)
    }
}
