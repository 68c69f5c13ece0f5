// snippet:doc https://docs.junit.org/5.13.4/user-guide/#extensions Extension model
// snippet:needs Java 15
// snippet:about JUnit
// snippet:check
// snippet:prints 1 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.*;

class Frozen implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private Locale language;
    private TimeZone zone;

    public void beforeEach(ExtensionContext context) {
        language = Locale.getDefault(Locale.Category.FORMAT); zone = TimeZone.getDefault();
        Locale.setDefault(Locale.Category.FORMAT, Locale.GERMANY);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
    }
    public void afterEach(ExtensionContext context) {
        Locale.setDefault(Locale.Category.FORMAT, language);
        TimeZone.setDefault(zone);
    }
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Clock.class;
    }
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Clock.fixed(Instant.parse("2025-03-05T20:30:00Z"), ZoneId.systemDefault());
    }
}

@ExtendWith(Frozen.class)
class InvoiceTest {
    @Test
    void datesAndAmounts(Clock clock) {
        assertEquals("2025-03-06: 1.234,50", "%s: %,.2f".formatted(LocalDate.now(clock), 1234.5));
    }
    // snippet:check
    static final Locale LANGUAGE = Locale.getDefault(Locale.Category.FORMAT);
    static final TimeZone ZONE = TimeZone.getDefault();

    @org.junit.jupiter.api.AfterAll
    static void whatWasThereIsBack() {
        assertEquals(LANGUAGE, Locale.getDefault(Locale.Category.FORMAT));
        assertEquals(ZONE, TimeZone.getDefault());
        org.junit.jupiter.api.Assertions.assertNotEquals(Locale.GERMANY, LANGUAGE);
    }
    // snippet:end
}
