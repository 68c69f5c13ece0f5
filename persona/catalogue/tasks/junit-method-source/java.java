// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-parameterized-tests-sources-MethodSource MethodSource
// snippet:needs Java 16
// snippet:about JUnit
// snippet:check
// snippet:prints 3 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MedianTest {
    static Optional<Duration> median(Collection<Duration> times) {
        return times.stream().sorted().skip(Math.max(0, (times.size() - 1) / 2)).findFirst();
    }

    record Case(List<Integer> millis, Integer want) {}

    static Stream<Case> cases() {
        return Stream.of(
            new Case(List.of(30, 10, 20), 20),
            new Case(List.of(40, 10), 10), // of two, the lower one
            new Case(List.of(), null));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void medianOf(Case c) {
        var got = median(c.millis().stream().map(Duration::ofMillis).toList());
        assertEquals(Optional.ofNullable(c.want()).map(Duration::ofMillis), got);
    }
}
