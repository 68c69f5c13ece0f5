// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/IterableOnceOps.html scanLeft and maxBy
// snippet:prints Some(Drawdown(120.0,90.0)) 0.25
// snippet:prints Some(Drawdown(1.0,1.0)) 0.0
// snippet:prints None
// snippet:end
final case class Drawdown(peak: Double, trough: Double):
  def loss: Double = 1 - trough / peak

/** The largest relative fall from an earlier high; None for an empty series. */
def maxDrawdown(values: Seq[Double]): Option[Drawdown] =
  values.headOption.map { first =>
    val highs = values.scanLeft(first)(_ max _).tail // the highest value up to each day
    highs.lazyZip(values).map(Drawdown.apply).maxBy(_.loss)
  }
// snippet:check
@main def check(): Unit =
  for values <- Seq(Seq(100.0, 90, 120, 110, 90, 130, 117), Seq(1.0, 2)) do
    val d = maxDrawdown(values)
    println(s"$d ${d.map(_.loss).getOrElse(0.0)}")
  println(maxDrawdown(Nil))
