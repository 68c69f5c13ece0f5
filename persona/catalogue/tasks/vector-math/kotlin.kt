// snippet:doc https://kotlinlang.org/docs/operator-overloading.html Operator overloading
// snippet:prints 5.0 null Vec2(x=0.0, y=1.0)
// snippet:prints Vec2(x=1.5, y=2.0) Vec2(x=1.0, y=0.0) 11.0
import kotlin.math.hypot

data class Vec2(val x: Float, val y: Float) {
    operator fun plus(o: Vec2) = Vec2(x + o.x, y + o.y)
    operator fun minus(o: Vec2) = Vec2(x - o.x, y - o.y)
    operator fun times(factor: Float) = Vec2(x * factor, y * factor)
    infix fun dot(o: Vec2) = x * o.x + y * o.y
    val length get() = hypot(x, y)

    /** Null for a vector without a direction: zero or as good as zero, or of no finite length. */
    fun normalizedOrNull(): Vec2? = if (length > 1e-6f && length.isFinite()) this * (1 / length) else null

    /** One step, zero or more, towards a target, without running past it. */
    fun movedTowards(target: Vec2, step: Float): Vec2 {
        val way = target - this
        return if (way.length <= step) target else this + way * (step / way.length)
    }

    companion object {
        val ZERO = Vec2(0f, 0f)
    }
}
// snippet:check
fun main() {
    check(Vec2(3e38f, 3e38f).normalizedOrNull() == null)
    println("${Vec2(3f, 4f).length} ${Vec2.ZERO.normalizedOrNull()} ${Vec2(0f, 9f).normalizedOrNull()}")
    println("${Vec2.ZERO.movedTowards(Vec2(3f, 4f), 2.5f)} ${Vec2.ZERO.movedTowards(Vec2(1f, 0f), 2f)} ${Vec2(1f, 2f) dot Vec2(3f, 4f)}")
}
