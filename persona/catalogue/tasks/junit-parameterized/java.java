// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-parameterized-tests Parameterized tests
// snippet:needs Java 15, JUnit 5.8.1
// snippet:about JUnit
// snippet:check
// snippet:prints 5 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlugTest {
    static String slug(String title) {
        return String.join("-", title.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    }

    @ParameterizedTest(name = "{0} becomes {1}")
    @CsvSource(textBlock = """
        Hello World,        hello-world
        '  two  spaces ',   two-spaces
        one,                one
        '',                 ''
        """)
    void titlesBecomeSlugs(String title, String want) {
        assertEquals(want, slug(title));
    }
    // snippet:check

    @org.junit.jupiter.api.Test
    void alsoOnATurkishMachine() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertEquals("island", slug("ISLAND"));
        } finally {
            Locale.setDefault(before);
        }
    }
    // snippet:end
}
