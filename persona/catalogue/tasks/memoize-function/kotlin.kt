// snippet:doc https://kotlinlang.org/docs/delegated-properties.html Delegated properties
// snippet:prints 73682
/** Remembers results; the function gets itself, so that recursion is remembered too. */
class Memo<K, V : Any>(private val compute: Memo<K, V>.(K) -> V) : (K) -> V {
    private val results = HashMap<K, V>()

    override operator fun invoke(key: K): V {
        results[key]?.let { return it }
        return compute(key).also { results[key] = it }
    }
}

/** Ways to pay an amount with the first n coins, each above zero. Calls nest deeply where the amount is large. */
fun waysToPay(coins: List<Int>) = Memo<Pair<Int, Int>, Long> { (amount, n) ->
    when {
        amount == 0 -> 1
        amount < 0 || n == 0 -> 0
        else -> invoke(amount to n - 1) + invoke(amount - coins[n - 1] to n)
    }
}
// snippet:usage
fun main() {
    val coins = listOf(1, 2, 5, 10, 20, 50, 100, 200)
    println(waysToPay(coins)(200 to coins.size))
}
