// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/lang/Iterable.html Groovy JDK: groupBy
// snippet:prints Bath   1 9
// snippet:prints Rome   2 6
// snippet:prints [Rome:2, Bath:1]
import groovy.transform.Immutable

@Immutable
class Sale {
    String city
    long cents
}

/** Count and sum per city, the largest sum first. */
List<Map> totals(Collection<Sale> sales) {
    sales.groupBy { it.city }
            .collect { city, group ->
                [city: city, count: group.size(), cents: group.sum { it.cents }]
            }
            .sort { a, b -> b.cents <=> a.cents ?: a.city <=> b.city }
}

def sales = [new Sale('Rome', 200), new Sale('Bath', 900), new Sale('Rome', 400)]
totals(sales).each { println "${it.city.padRight(6)} ${it.count} ${it.cents / 100}" }
println sales.countBy { it.city }
