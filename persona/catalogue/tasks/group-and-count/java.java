// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/stream/Collectors.html java.util.stream.Collectors
// snippet:needs Java 16
// snippet:prints Total[city=Bath, count=1, cents=900]
// snippet:prints Total[city=Rome, count=2, cents=600]
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summarizingLong;

import java.util.Comparator;
import java.util.List;
// snippet:usage

class Main {
    public static void main(String[] args) {
        Sale.byCity(List.of(new Sale("Rome", 200), new Sale("Bath", 900), new Sale("Rome", 400)))
                .forEach(System.out::println);
    }
}
// snippet:end

record Sale(String city, long cents) {
    record Total(String city, long count, long cents) {}

    /** Count and sum per city, the largest sum first. */
    static List<Total> byCity(List<Sale> sales) {
        return sales.stream()
                .collect(groupingBy(Sale::city, summarizingLong(Sale::cents)))
                .entrySet().stream()
                .map(e -> new Total(e.getKey(), e.getValue().getCount(), e.getValue().getSum()))
                .sorted(Comparator.comparingLong(Total::cents).reversed()
                        .thenComparing(Total::city))
                .toList();
    }
}
