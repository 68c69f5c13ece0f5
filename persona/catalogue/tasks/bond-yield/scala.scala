// snippet:check
// snippet:doc https://docs.scala-lang.org/tour/tail-recursion.html Tail recursion
// snippet:description Find the interest rate at which the discounted payments equal the price. Newton steps usually take few rounds,
// snippet:description because the derivative is at hand; where a step leaves the bracket, the bracket is halved instead. After 1000
// snippet:description rounds the last rate is the answer.
// snippet:prints 5.0000 7.4697 58.4893 -1.0000
// snippet:end
import scala.annotation.tailrec

final case class Bond(coupon: Double, years: Int): // per 100 of face value, paid once a year
  private val payments = Vector.tabulate(years)(year => (year + 1, if year + 1 == years then coupon + 100 else coupon))

  def price(rate: Double): Double = payments.map((year, amount) => amount * math.pow(1 + rate, -year)).sum

  private def slope(rate: Double): Double =
    payments.map((year, amount) => -year * amount * math.pow(1 + rate, -year - 1)).sum

  /** The rate at which the payments are worth the price: Newton's steps, halved where they leave the bracket. */
  def yieldAt(target: Double): Double =
    @tailrec def search(rate: Double, low: Double, high: Double, rounds: Int): Double =
      val off = price(rate) - target
      if math.abs(off) < 1e-9 || rounds == 0 then rate
      else
        val (l, h) = if off > 0 then (rate, high) else (low, rate) // a higher rate is a lower price
        val newton = rate - off / slope(rate)
        search(if newton > l && newton < h then newton else (l + h) / 2, l, h, rounds - 1)
    require(target > price(10) && target < price(-0.9), s"no yield from -90 to 1000 % gives $target")
    search(0.05, -0.9, 10, 1000)
// snippet:check
@main def check(): Unit =
  println(Seq(Bond(5, 10) -> 100.0, Bond(5, 5) -> 90.0, Bond(0, 10) -> 1.0, Bond(1, 100) -> 446.399805232847).map((b, p) => f"${100 * b.yieldAt(p)}%.4f").mkString(" "))
