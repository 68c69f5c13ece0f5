// snippet:doc https://kotlinlang.org/docs/inline-classes.html Inline value classes
// snippet:needs Kotlin 1.6
import java.math.BigDecimal

/** Cents in a type of their own; a plain Long, where it is not boxed for a list. */
@JvmInline
value class Money(val cents: Long) : Comparable<Money> {
    operator fun plus(other: Money) = Money(Math.addExact(cents, other.cents))
    operator fun times(factor: Int) = Money(Math.multiplyExact(cents, factor.toLong()))
    override fun compareTo(other: Money) = cents.compareTo(other.cents)

    /** Parts, at least one, that differ by a cent at most and add up to the whole. */
    fun split(parts: Int): List<Money> = List(parts) { i ->
        Money(cents.floorDiv(parts.toLong()) + if (i < cents.mod(parts)) 1 else 0)
    }

    override fun toString(): String = BigDecimal.valueOf(cents, 2).toPlainString()
}

val Int.euros get() = Money(this * 100L)

fun Iterable<Money>.sum() = fold(Money(0), Money::plus)
// snippet:usage
// snippet:prints [3.34, 3.33, 3.33] 10.00 -0.05
// snippet:prints long overflow
fun main() {
    val parts = 10.euros.split(3)
    println("$parts ${parts.sum()} ${Money(-5)}")
    println(runCatching { Money(Long.MAX_VALUE) + Money(1) }.exceptionOrNull()?.message)
    // snippet:check
    check(2.euros * 3 > 5.euros && Money(Long.MIN_VALUE).toString() == "-92233720368547758.08")
    // snippet:usage
}
