// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/math/BigDecimal.html BigDecimal
// snippet:prints Instalment(1,34.00,1.00,67.00)
// snippet:prints Instalment(2,34.00,0.67,33.67)
// snippet:prints Instalment(3,34.01,0.34,0.00)
// snippet:end
import scala.math.BigDecimal.RoundingMode.HALF_EVEN

final case class Instalment(month: Int, payment: BigDecimal, interest: BigDecimal, balance: BigDecimal)

/** The plan of a loan with the same payment each month; the last one settles what rounding left over. */
def schedule(loan: BigDecimal, monthlyRate: BigDecimal, months: Int): Vector[Instalment] =
  val annuity =
    if monthlyRate == 0 then loan / months else loan * monthlyRate / (1 - (1 + monthlyRate).pow(-months))
  val payment = annuity.setScale(2, HALF_EVEN)
  val start = Instalment(0, 0, 0, loan)
  (1 to months).scanLeft(start) { (before, month) =>
    val interest = (before.balance * monthlyRate).setScale(2, HALF_EVEN)
    val paid = if month == months then before.balance + interest else payment
    Instalment(month, paid, interest, before.balance + interest - paid)
  }.tail.toVector
// snippet:check
@main def check(): Unit = schedule(BigDecimal("100.00"), BigDecimal("0.01"), 3).foreach(println)
