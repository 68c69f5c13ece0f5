// snippet:doc https://kotlinlang.org/docs/collection-grouping.html Grouping
// snippet:prints Total(city=Bath, count=1, cents=900)
// snippet:prints Total(city=Rome, count=2, cents=600)
data class Sale(val city: String, val cents: Long)

data class Total(val city: String, val count: Int, val cents: Long)

/** `groupingBy` and `fold` visit each sale once and build no lists in between. */
fun Iterable<Sale>.totalsByCity(): List<Total> =
    groupingBy { it.city }
        .fold({ city, _ -> Total(city, 0, 0) }) { _, total, sale ->
            total.copy(count = total.count + 1, cents = total.cents + sale.cents)
        }
        .values
        .sortedWith(compareByDescending(Total::cents).thenBy(Total::city))
// snippet:usage
fun main() = listOf(Sale("Rome", 200), Sale("Bath", 900), Sale("Rome", 400)).totalsByCity().forEach(::println)
