// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/math/BigDecimal.html BigDecimal
// snippet:prints Instalment(1,34,1.00,66.50)
// snippet:prints Instalment(2,34,0.66,33.16)
// snippet:prints Instalment(3,33.49,0.33,0.00)
// snippet:end
import scala.math.BigDecimal.RoundingMode.HALF_EVEN

final case class Instalment(month: Int, payment: BigDecimal, interest: BigDecimal, balance: BigDecimal)

/** The plan of a loan with a fixed payment; the last one settles what rounding left over. */
def schedule(loan: BigDecimal, payment: BigDecimal, monthlyRate: BigDecimal): LazyList[Instalment] =
  def rows(month: Int, balance: BigDecimal): LazyList[Instalment] =
    if balance <= 0 then LazyList.empty
    else
      val interest = (balance * monthlyRate).setScale(2, HALF_EVEN)
      require(payment > interest, s"month $month: the payment does not cover the interest of $interest")
      val paid = payment.min(balance + interest)
      val left = balance + interest - paid
      Instalment(month, paid, interest, left) #:: rows(month + 1, left)
  rows(1, loan)
// snippet:check
@main def check(): Unit = schedule(BigDecimal("99.50"), BigDecimal(34), BigDecimal("0.01")).foreach(println)
