// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/IterableOps.html groupMapReduce
// snippet:description Count the ways to each total of several dice, which may differ in their sides: those of one more die are the
// snippet:description old ones, shifted and added. From it follows how many of all throws reach a number. The counts are exact.
// snippet:prints 7 with 2d6: 6 of 36
// snippet:prints 15 or more with 3d6: 20 of 216
// snippet:end
/** How many ways lead to each total of several dice. Counts are exact; divide only to print. */
def ways(dice: Seq[Int]): Map[Int, BigInt] =
  dice.foldLeft(Map(0 -> BigInt(1))) { (totals, sides) =>
    val rolls = for (total, count) <- totals.toSeq; face <- 1 to sides yield (total + face, count)
    rolls.groupMapReduce(_(0))(_(1))(_ + _)
  }

def atLeast(target: Int, dice: Seq[Int]): (BigInt, BigInt) =
  val all = ways(dice)
  (all.collect { case (total, count) if total >= target => count }.sum, all.values.sum)
// snippet:check
@main def check(): Unit =
  println(s"7 with 2d6: ${ways(Seq(6, 6))(7)} of ${ways(Seq(6, 6)).values.sum}")
  val (good, all) = atLeast(15, Seq.fill(3)(6))
  println(s"15 or more with 3d6: $good of $all")
