// snippet:check
// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/YearMonth.html YearMonth
// snippet:needs Scala 3.2
// snippet:prints 2026-01 +20.0 %
// snippet:prints 2026-02 n/a
// snippet:prints 2026-03 n/a
// snippet:prints 2026-04 n/a
// snippet:prints 2026-05 +0.0 %
// snippet:end
import java.time.YearMonth
import scala.math.BigDecimal.RoundingMode.HALF_UP

/** Growth in percent against the same month a year before; None where there is nothing to compare with. */
def yearOverYear(revenue: Map[YearMonth, BigDecimal]): Map[YearMonth, Option[BigDecimal]] =
  revenue.map { (month, now) =>
    val before = revenue.get(month.minusYears(1)).filter(_ > 0) // a loss has no growth rate
    month -> before.map(b => (now / b - 1) * 100)
  }

def report(revenue: Map[YearMonth, BigDecimal], year: Int): Seq[String] =
  for (month, growth) <- yearOverYear(revenue).toSeq.sortBy(_(0)) if month.getYear == year
  yield s"$month ${growth.fold("n/a")(g => f"${g.setScale(1, HALF_UP)}%+.1f %%")}" // rounded once; never -0.0
// snippet:check
@main def check(): Unit =
  def m(text: String) = YearMonth.parse(text)
  report(Map(m("2025-01") -> 100, m("2026-01") -> 120, m("2025-02") -> 0, m("2026-02") -> 5, m("2026-03") -> 7, m("2025-04") -> -5, m("2026-04") -> 5, m("2025-05") -> 10000, m("2026-05") -> 9999).map((k, v) => k -> BigDecimal(v)), 2026).foreach(println)
