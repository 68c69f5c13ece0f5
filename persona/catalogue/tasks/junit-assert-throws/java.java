// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-assertions Assertions
// snippet:needs Java 15
// snippet:about JUnit
// snippet:check
// snippet:prints 2 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PortTest {
    static int parsePort(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65536) return port;
        } catch (NumberFormatException notANumber) {
            // the same message: it names what was given
        }
        throw new IllegalArgumentException("port \"%s\": expected a number from 1 to 65535".formatted(text));
    }

    @Test
    void portsAreNumbers() {
        assertEquals(8080, parsePort("8080"));
    }

    @Test
    void anythingElseIsNamed() {
        var error = assertThrows(IllegalArgumentException.class, () -> parsePort("http"));
        assertEquals("port \"http\": expected a number from 1 to 65535", error.getMessage());
    }
}
