// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/stream/Stream.html java.util.stream.Stream
// snippet:needs Java 16
// snippet:prints [5, 8, 13, 21, 34] 12200160415121876738
import java.math.BigInteger;
import java.util.stream.Stream;
// snippet:usage

class Main {
    public static void main(String[] args) {
        System.out.println(Sequences.fibonacci().skip(5).limit(5).toList() + " " + Sequences.firstWithDigits(20));
    }
}
// snippet:end

final class Sequences {
    private record Pair(BigInteger previous, BigInteger current) {}

    /** All Fibonacci numbers: endless, and computed only as far as somebody looks. */
    static Stream<BigInteger> fibonacci() {
        return Stream.iterate(
                        new Pair(BigInteger.ONE, BigInteger.ZERO), // before 0 comes 1
                        pair -> new Pair(pair.current(), pair.previous().add(pair.current())))
                .map(Pair::current);
    }

    static BigInteger firstWithDigits(int digits) {
        return fibonacci()
                .dropWhile(n -> n.toString().length() < digits)
                .findFirst().orElseThrow();
    }
}
