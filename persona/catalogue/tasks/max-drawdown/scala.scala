// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/IterableOnceOps.html scanLeft and maxBy
// snippet:needs Scala 3
// snippet:prints 25.0 % from 2026-01-03 to 2026-01-05
// snippet:prints 0.0 % from 2026-01-01 to 2026-01-01
// snippet:prints None
// snippet:end
import java.time.LocalDate

final case class Day(date: LocalDate, value: Double) // above zero

final case class Drawdown(peak: Day, trough: Day):
  def loss: Double = 1 - trough.value / peak.value

/** The largest relative fall from an earlier high; None for an empty series. */
def maxDrawdown(days: Seq[Day]): Option[Drawdown] =
  days.headOption.map { first =>
    val highs = days.scanLeft(first)((high, day) => if day.value > high.value then day else high).tail // up to each day
    highs.lazyZip(days).map(Drawdown.apply).maxBy(_.loss)
  }
// snippet:check
@main def check(): Unit =
  for values <- Seq(Seq(100.0, 90, 120, 110, 90, 130, 117), Seq(1.0, 2)) do
    val days = values.zipWithIndex.map((value, i) => Day(LocalDate.of(2026, 1, i + 1), value))
    maxDrawdown(days).foreach(d => println(f"${100 * d.loss}%.1f %% from ${d.peak.date} to ${d.trough.date}"))
  println(maxDrawdown(Nil))
