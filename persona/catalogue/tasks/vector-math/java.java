// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Math.html java.lang.Math
// snippet:needs Java 16
// snippet:prints 5.0 Vec3[x=-4.0, y=0.0, z=3.0]
// snippet:prints Optional.empty Optional[1.0]
import java.util.Optional;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var v = new Vec3(3, 0, 4);
        System.out.println(v.length() + " " + v.cross(new Vec3(0, 1, 0)));
        System.out.println(v.plus(v.times(-1)).normalized() + " " + v.normalized().map(Vec3::length));
    }
}
// snippet:end

record Vec3(double x, double y, double z) {
    Vec3 plus(Vec3 o) {
        return new Vec3(x + o.x, y + o.y, z + o.z);
    }

    Vec3 times(double factor) {
        return new Vec3(x * factor, y * factor, z * factor);
    }

    double dot(Vec3 o) {
        return Math.fma(x, o.x, Math.fma(y, o.y, z * o.z));
    }

    Vec3 cross(Vec3 o) {
        return new Vec3(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x);
    }

    double length() {
        return Math.hypot(Math.hypot(x, y), z); // no overflow on the way
    }

    /** Empty for a vector without a direction: zero or as good as zero, or of no finite length. */
    Optional<Vec3> normalized() {
        double length = length();
        return length > 1e-12 && Double.isFinite(length) ? Optional.of(times(1 / length)) : Optional.empty();
    }
}
