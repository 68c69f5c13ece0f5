// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-parameterized-tests JUnit parameterized tests
// snippet:into Put it among the tests of a project with JUnit.
// snippet:prints 8 passed, 0 failed
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTest {
    @ParameterizedTest(name = "{0} is {1} seconds")
    @CsvSource({
        "PT1M30S,    90",
        "PT2H,     7200",
        "P1D,     86400",
        "PT-10S,    -10",
    })
    void parses(String text, long seconds) {
        assertEquals(seconds, Duration.parse(text).toSeconds());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "90", "PT1M30", "1 hour"})
    void refuses(String text) {
        assertThrows(DateTimeParseException.class, () -> Duration.parse(text));
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var request = org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request()
                .selectors(org.junit.platform.engine.discovery.DiscoverySelectors.selectClass(DurationTest.class)).build();
        var listener = new org.junit.platform.launcher.listeners.SummaryGeneratingListener();
        org.junit.platform.launcher.core.LauncherFactory.create().execute(request, listener);
        var s = listener.getSummary();
        System.out.println(s.getTestsSucceededCount() + " passed, " + s.getTestsFailedCount() + " failed");
    }
}
