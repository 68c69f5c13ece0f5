// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/core-operators.html#Operator-Overloading Operator overloading
// snippet:prints 5.0 1.0
// snippet:prints null
import groovy.transform.Immutable

@Immutable
class Vector {
    double x, y

    Vector plus(Vector o) { new Vector(x + o.x, y + o.y) }
    Vector minus(Vector o) { new Vector(x - o.x, y - o.y) }
    Vector multiply(Number factor) { new Vector(x * factor, y * factor) }
    Vector negative() { this * -1 }
    double dot(Vector o) { x * o.x + y * o.y }
    double getLength() { Math.hypot(x, y) }
    boolean asBoolean() { length > 1e-12 && Double.isFinite(length) } // false: as good as zero, or of no finite length

    /** Null for a vector that is false: it has no direction. */
    Vector normalized() { this ? this * (1 / length) : null }
}

def way = new Vector(3, 4) - new Vector(0, 0)
println "$way.length ${way.normalized().length}"
println((way + -way).normalized())
