// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html java.util.regex.Pattern
// snippet:needs Java 16
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
// snippet:usage
// snippet:prints {email=Write it like ada@example.com, in at most 200 characters.}
// snippet:prints {}

class Main {
    public static void main(String[] args) {
        System.out.println(new SignUp("Ada", "ada@example", "correct horse battery").problems());
        System.out.println(new SignUp("Ada", "ada@example.com", "correct horse battery").problems());
        // snippet:check
        // snippet:prints [name, password]
        System.out.println(new SignUp(" ", "ada@example.com", "short").problems().keySet());
        // snippet:usage
    }
}
// snippet:end

record SignUp(String name, String email, String password) {
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+");

    /** All problems by field name, in the order of the form; empty if there are none. */
    Map<String, String> problems() {
        var problems = new LinkedHashMap<String, String>();
        check(problems, "name", name, text -> !text.isBlank(), "Tell us your name, in at most 200 characters.");
        check(problems, "email", email, EMAIL.asMatchPredicate(),
                "Write it like ada@example.com, in at most 200 characters.");
        check(problems, "password", password, text -> length(text) >= 12, "Use 12 to 200 characters.");
        return problems;
    }

    private static void check(Map<String, String> problems, String field, String value,
                              Predicate<String> valid, String message) {
        if (value == null || length(value) > 200 || !valid.test(value)) {
            problems.put(field, message);
        }
    }

    private static int length(String text) { return text.codePointCount(0, text.length()); } // some emoji are two chars
}
