// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/random/RandomGenerator.html java.util.random.RandomGenerator
// snippet:needs Java 17
// snippet:description Generate a thousand short texts of characters that like to cause trouble, and check something that must
// snippet:description hold for all of them. Where it answers false, the error names the text and the seed that makes it again.
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
// snippet:usage
// snippet:prints reversing twice: holds
// snippet:prints false claim: seed 2

class Main {
    public static void main(String[] args) {
        Property.forAll(Property::awkwardText, text -> {
            var reversed = new StringBuilder(text).reverse();
            return reversed.reverse().toString().equals(text);
        });
        System.out.println("reversing twice: holds");
        try {
            Property.forAll(Property::awkwardText, text -> text.length() < 5);
        } catch (AssertionError e) {
            System.out.println("false claim: " + e.getMessage().split(" gives")[0]);
        }
    }
}
// snippet:end

final class Property {
    /** Tries a property on random inputs; a failure names the seed that repeats it. */
    static <T> void forAll(Function<RandomGenerator, T> inputs, Predicate<T> property) {
        for (long seed = 1; seed <= 1000; seed++) {
            T input = inputs.apply(new SplittableRandom(seed));
            if (!property.test(input)) {
                throw new AssertionError("seed " + seed + " gives " + input);
            }
        }
    }

    /** Short texts of characters that like to break things. */
    static String awkwardText(RandomGenerator random) {
        int[] alphabet = "a %\"\\\n\u00e9\u65e5\ud83e\udd80".codePoints().toArray();
        return random.ints(random.nextInt(12), 0, alphabet.length)
                .map(i -> alphabet[i])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
