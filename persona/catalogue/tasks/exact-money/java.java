// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/math/BigDecimal.html java.math.BigDecimal
// snippet:needs Java 16
// snippet:prints [3.34, 3.33, 3.33]
// snippet:prints [-0.33, -0.33, -0.34]
// snippet:prints Rounding necessary
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.List;
import java.util.stream.IntStream;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var euro = Currency.getInstance("EUR");
        System.out.println(new Money(new BigDecimal("10"), euro).split(3).stream().map(Money::amount).toList());
        System.out.println(new Money(new BigDecimal("-1"), euro).split(3).stream().map(Money::amount).toList());
        try {
            new Money(new BigDecimal("0.001"), euro);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
// snippet:end

record Money(BigDecimal amount, Currency currency) {
    /** Refuses fractions of a cent instead of rounding them away silently. */
    Money {
        amount = amount.setScale(currency.getDefaultFractionDigits(), RoundingMode.UNNECESSARY);
    }

    /** Parts, at least one, that differ by one cent at most and add up to the whole. */
    List<Money> split(int parts) {
        long cents = amount.unscaledValue().longValueExact();
        int scale = amount.scale();
        return IntStream.range(0, parts)
                .mapToLong(i -> Math.floorDiv(cents, parts) + (i < Math.floorMod(cents, parts) ? 1 : 0))
                .mapToObj(part -> new Money(BigDecimal.valueOf(part, scale), currency))
                .toList();
    }
}
