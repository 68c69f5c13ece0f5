// snippet:doc https://kotlinlang.org/docs/collection-ordering.html Ordering
// snippet:prints 1. Cy, 2. Ann, 3. bo
data class Player(val name: String, val score: Int?, val seconds: Double)

/** Best score first, those without a score last, then the quicker, then by name. */
val ranking: Comparator<Player> =
    compareByDescending<Player, Int?>(nullsFirst()) { it.score }
        .thenBy { it.seconds }
        .thenBy(String.CASE_INSENSITIVE_ORDER) { it.name }

fun List<Player>.ranked(): List<Player> = sortedWith(ranking) // stable, a new list

fun List<Player>.podium(): String =
    ranked().take(3).withIndex().joinToString { (i, player) -> "${i + 1}. ${player.name}" }
// snippet:check
fun main() = println(
    listOf(Player("bo", 10, 2.5), Player("Ann", 10, 2.5), Player("Eve", null, 0.1), Player("Cy", 12, 9.0)).podium()
)
