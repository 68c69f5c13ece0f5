// snippet:doc https://kotlinlang.org/docs/map-operations.html Map-specific operations
// snippet:needs Kotlin 1.6
sealed interface Change {
    val key: String

    data class Added(override val key: String, val value: String) : Change
    data class Removed(override val key: String, val value: String) : Change
    data class Changed(override val key: String, val from: String, val to: String) : Change
}

/** What turns [before] into [after], ordered by key. */
fun diff(before: Map<String, String>, after: Map<String, String>): List<Change> =
    (before.keys + after.keys).sorted().mapNotNull { key ->
        val old = before[key]
        val new = after[key]
        when {
            old == null -> new?.let { Change.Added(key, it) }
            new == null -> Change.Removed(key, old)
            old != new -> Change.Changed(key, old, new)
            else -> null
        }
    }
// snippet:usage
// snippet:prints Added(key=log, value=json)
// snippet:prints Changed(key=port, from=80, to=443)
// snippet:prints Removed(key=tls, value=off)
fun main() {
    val before = mapOf("port" to "80", "host" to "a", "tls" to "off")
    diff(before, mapOf("port" to "443", "host" to "a", "log" to "json")).forEach(::println)
}
