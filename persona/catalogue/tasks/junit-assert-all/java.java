// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-assertions Grouped assertions
// snippet:needs Java 16
// snippet:about JUnit
// snippet:check
// snippet:prints 2 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class AddressTest {
    record Address(String street, String postcode, String city) {
        static Address parse(String text) {
            String[] lines = text.strip().split("\n");
            String[] place = lines[1].split(" ", 2);
            return new Address(lines[0].strip(), place[0], place[1].strip());
        }
    }

    @Test
    void anAddressIsReadCompletely() {
        Address address = Address.parse("Main Street 1\n12345 Springfield\n");
        assertAll("address",
            () -> assertEquals("Main Street 1", address.street()),
            () -> assertEquals("12345", address.postcode()),
            () -> assertEquals("Springfield", address.city()));
    }
    // snippet:check

    @Test
    void allFailuresAreReported() {
        var error = assertThrows(org.opentest4j.MultipleFailuresError.class, () -> assertAll("two", () -> assertEquals(1, 2), () -> assertEquals(3, 4)));
        assertEquals(2, error.getFailures().size());
    }
    // snippet:end
}
