// snippet:doc https://docs.junit.org/current/user-guide/#extensions Extension model
// snippet:about JUnit
// snippet:check
// snippet:prints 1 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.*;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.*;

class Frozen implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private final Locale language = Locale.getDefault();

    public void beforeEach(ExtensionContext context) { Locale.setDefault(Locale.GERMANY); }
    public void afterEach(ExtensionContext context) { Locale.setDefault(language); }

    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Clock.class;
    }
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Clock.fixed(Instant.parse("2025-03-05T09:30:00Z"), ZoneOffset.UTC);
    }
}

@ExtendWith(Frozen.class)
class InvoiceTest {
    @Test
    void datesAndAmounts(Clock clock) {
        assertEquals("2025-03-05: 1.234,50", "%s: %,.2f".formatted(LocalDate.now(clock), 1234.5));
    }
}
