// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html java.util.regex.Pattern
// snippet:needs Java 16
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
// snippet:usage
// snippet:prints [the=4, cat=2, dog=2]

class Main {
    public static void main(String[] args) {
        // snippet:check
        if (!Words.top("a'".repeat(100_000), 1).get(0).getKey().endsWith("a")) throw new AssertionError();
        // snippet:usage
        System.out.println(Words.top("The cat saw the dog. The 'dog' didn't see; the cat did! \u2764 \u2764", 3));
    }
}
// snippet:end

final class Words {
    private static final Pattern WORD = // *+: no stack
            Pattern.compile("\\p{L}[\\p{L}\\p{M}]*(?:['\u2019]\\p{L}[\\p{L}\\p{M}]*)*+");

    /** The most frequent words of letters (a digit ends a word); equal counts sorted by word. */
    static List<Map.Entry<String, Long>> top(String text, int limit) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT)).results()
                .map(MatchResult::group)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(limit)
                .toList();
    }
}
