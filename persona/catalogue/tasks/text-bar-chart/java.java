// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Formatter.html java.util.Formatter
// snippet:needs Java 15
// snippet:prints checkout | ######## 12
// snippet:prints search   | #################### 30
// snippet:prints login    |  0
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var values = new java.util.LinkedHashMap<String, Integer>();
        values.put("checkout", 12);
        values.put("search", 30);
        values.put("login", 0);
        System.out.println(BarChart.of(values, 20));
    }
}
// snippet:end

final class BarChart {
    /** One bar per entry, scaled so that the largest is {@code width} characters. */
    static String of(Map<String, Integer> values, int width) {
        if (values.isEmpty()) {
            return "(no data)";
        }
        int labels = values.keySet().stream().mapToInt(String::length).reduce(1, Math::max);
        int highest = Math.max(1, Collections.max(values.values()));
        return values.entrySet().stream()
                .map(e -> {
                    var bar = "#".repeat(Math.max(0, (int) ((long) e.getValue() * width / highest)));
                    return ("%-" + labels + "s | %s %d").formatted(e.getKey(), bar, e.getValue());
                })
                .collect(Collectors.joining("\n"));
    }
}
