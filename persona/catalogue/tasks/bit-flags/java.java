// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/EnumSet.html java.util.EnumSet
// snippet:title Flags as a byte and as an EnumSet
// snippet:description Turn the bits of a number into an `EnumSet` and back. The program works with the set; only the file or the
// snippet:description wire sees the bits. A bit without a name is dropped.
// snippet:why Files and protocols store flags as bits, and a program reads them better as names.
// snippet:prints [READ, SHARE] 1001
import java.util.EnumSet;
import java.util.Set;

/** Flags as a byte on the wire and as a set in the program. */
enum Permission {
    READ, WRITE, EXECUTE, SHARE;

    private int mask() {
        return 1 << ordinal(); // the order above is part of the file format
    }

    static Set<Permission> decode(int bits) {
        var set = EnumSet.noneOf(Permission.class);
        for (var permission : values()) {
            if ((bits & permission.mask()) != 0) {
                set.add(permission);
            }
        }
        return set;
    }

    static int encode(Set<Permission> permissions) {
        return permissions.stream().mapToInt(Permission::mask).reduce(0, (a, b) -> a | b);
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var set = Permission.decode(0b1011);
        set.remove(Permission.WRITE);
        System.out.println(set + " " + Integer.toBinaryString(Permission.encode(set)));
    }
}
