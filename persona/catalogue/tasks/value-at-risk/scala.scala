// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/Seq.html Seq
// snippet:prints VaR 5.00 %, ES 6.00 %
// snippet:prints 10 days are too few for a tail of 0.05
// snippet:end
final case class Risk(valueAtRisk: Double, expectedShortfall: Double)

/** The loss reached or exceeded in a share of `tail`, up to 1, of all days, and the mean loss of these days.
  * Returns are shares of the value, none NaN; losses come back as positive numbers.
  */
def historicalRisk(returns: Seq[Double], tail: Double = 0.05): Either[String, Risk] =
  val days = (BigDecimal(tail) * returns.size).toInt // exact: 100 days times 0.29 are 29
  if days < 1 then Left(s"${returns.size} days are too few for a tail of $tail")
  else
    val worst = returns.sorted.take(days)
    Right(Risk(valueAtRisk = -worst.last, expectedShortfall = -worst.sum / days))
// snippet:check
@main def check(): Unit =
  val returns = Seq(-0.05, 0.02, -0.07) ++ Seq.fill(37)(0.01)
  historicalRisk(returns).foreach(r => println(f"VaR ${100 * r.valueAtRisk}%.2f %%, ES ${100 * r.expectedShortfall}%.2f %%"))
  println(historicalRisk(returns.take(10)).fold(identity, _.toString))
