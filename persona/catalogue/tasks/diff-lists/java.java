// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/TreeSet.html java.util.TreeSet
// snippet:needs Java 17
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
// snippet:usage
// snippet:prints Added[key=log, value=json]
// snippet:prints Changed[key=port, from=80, to=443]
// snippet:prints Removed[key=tls, value=off]

class Main {
    public static void main(String[] args) {
        var before = Map.of("port", "80", "host", "a", "tls", "off");
        var after = Map.of("port", "443", "host", "a", "log", "json");
        Change.between(before, after).forEach(System.out::println);
    }
}
// snippet:end

sealed interface Change {
    record Added(String key, String value) implements Change {}
    record Removed(String key, String value) implements Change {}
    record Changed(String key, String from, String to) implements Change {}

    /** What turns one map into the other, ordered by key. Values must not be null. */
    static List<Change> between(Map<String, String> before, Map<String, String> after) {
        var keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        var changes = new ArrayList<Change>();
        for (var key : keys) {
            var from = before.get(key);
            var to = after.get(key);
            if (from == null) changes.add(new Added(key, to));
            else if (to == null) changes.add(new Removed(key, from));
            else if (!Objects.equals(from, to)) changes.add(new Changed(key, from, to));
        }
        return changes;
    }
}
