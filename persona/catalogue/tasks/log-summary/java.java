// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/Files.html#lines(java.nio.file.Path) java.nio.file.Files.lines
// snippet:prints {2026-03-01T10=2, 2026-03-01T11=1}
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class LogSummary {
    private static final Pattern LINE =
            Pattern.compile("(?<hour>\\d{4}-\\d\\d-\\d\\dT\\d\\d):\\d\\d:\\d\\d\\S* (?<level>[A-Z]+) ");

    /** Errors per hour, read lazily; a stray byte in a log must not end it, as it would in UTF-8. */
    static Map<String, Long> errorsPerHour(Path log) throws IOException {
        try (var lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.map(LINE::matcher)
                    .filter(Matcher::lookingAt) // skips stack traces
                    .filter(line -> line.group("level").equals("ERROR"))
                    .collect(groupingBy(line -> line.group("hour"), TreeMap::new, counting()));
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws IOException {
        var log = Files.createTempFile("snippet", ".log");
        Files.writeString(log, """
                2026-03-01T09:59:58Z INFO started
                2026-03-01T10:00:01Z ERROR disk full
                    at Disk.write
                2026-03-01T10:zz ERROR no time
                2026-03-01T10:00:02Z ERROR write failed
                2026-03-01T11:10:00Z ERROR timeout in \u00c5s
                """);
        System.out.println(LogSummary.errorsPerHour(log));
        Files.delete(log);
    }
}
