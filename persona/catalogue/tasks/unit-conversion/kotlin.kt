// snippet:description One type for distances, whatever unit they are given in: metres, kilometres, feet and miles are converted when
// snippet:description the value is made. A bare number cannot be added to a distance by mistake.
// snippet:why A distance is made with its unit, so that feet are not taken for metres.
// snippet:doc https://kotlinlang.org/docs/operator-overloading.html Operator overloading
// snippet:needs Kotlin 1.6
// snippet:prints 26.22 miles, 138435 feet
// snippet:prints true
@JvmInline
value class Distance private constructor(val metres: Double) : Comparable<Distance> {
    operator fun plus(other: Distance) = Distance(metres + other.metres)
    operator fun div(other: Distance): Double = metres / other.metres
    override fun compareTo(other: Distance) = metres.compareTo(other.metres)

    companion object {
        val Number.m get() = Distance(toDouble())
        val Number.km get() = Distance(toDouble() * 1000)
        val Number.ft get() = Distance(toDouble() * 0.3048) // exact by definition
        val Number.mi get() = Distance(toDouble() * 1609.344)
    }
}
// snippet:usage
fun main() {
    with(Distance) {
        val marathon = 42.km + 195.m
        println("%.2f miles, %.0f feet".format(java.util.Locale.ROOT, marathon / 1.mi, marathon / 1.ft))
        println(marathon > 26.mi)
    }
}
