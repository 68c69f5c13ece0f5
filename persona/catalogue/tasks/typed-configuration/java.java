// snippet:doc https://docs.oracle.com/en/java/javase/21/language/records.html Records
// snippet:prints Config[port=8080, database=jdbc:sqlite:app.db, timeout=PT0.25S]
// snippet:prints PORT: want something like 8080; TIMEOUT: want something like PT5S
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

record Config(int port, URI database, Duration timeout) {

    /** Reads {@code System.getenv()} and reports every mistake at once. */
    static Config from(Map<String, String> env) {
        var mistakes = new ArrayList<String>();
        var config = new Config(
                read(env, "PORT", "8080", Integer::valueOf, mistakes),
                read(env, "DATABASE_URL", "jdbc:sqlite:app.db", URI::create, mistakes),
                read(env, "TIMEOUT", "PT5S", Duration::parse, mistakes));
        if (!mistakes.isEmpty()) throw new IllegalStateException(String.join("; ", mistakes));
        return config;
    }

    private static <T> T read(Map<String, String> env, String key, String fallback,
                              Function<String, T> parse, List<String> mistakes) {
        try {
            return parse.apply(env.getOrDefault(key, fallback));
        } catch (RuntimeException e) {
            mistakes.add(key + ": want something like " + fallback);
            return parse.apply(fallback);
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        System.out.println(Config.from(Map.of("TIMEOUT", "PT0.25S")));
        try {
            Config.from(Map.of("PORT", "http", "TIMEOUT", "5s"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
