// snippet:doc https://docs.scala-lang.org/scala3/reference/other-new-features/opaques.html Opaque type aliases
// snippet:needs Scala 3
// snippet:prints 3.34 3.33 3.33 10.00 -0.05 3.34
object Money:
  /** Cents: a Long at run time, a type of its own for the compiler. */
  opaque type Money = Long

  def cents(n: Long): Money = n

  extension (money: Money)
    infix def plus(other: Money): Money = Math.addExact(money, other)

    /** Parts, at least one, that differ by a cent at most and add up to the whole. */
    def split(parts: Int): Vector[Money] =
      val (each, rest) = (Math.floorDiv(money, parts.toLong), Math.floorMod(money, parts))
      Vector.tabulate(parts)(i => each + (if i < rest then 1 else 0))

    def show: String = java.math.BigDecimal.valueOf(money, 2).toPlainString

  given Ordering[Money] = Ordering.Long
// snippet:check
@main def check(): Unit =
  import Money.*
  val parts = cents(1000).split(3)
  println(parts.map(_.show).mkString(" ") + " " + parts.reduce(_ plus _).show + " " + cents(-5).show + " " + parts.max.show)
