// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/IterableOnceOps.html foldLeft
// snippet:needs Scala 3
// snippet:prints (standup,interview) (interview,lunch)
// snippet:end
/** The end is exclusive: who leaves at ten does not meet who comes at ten. */
final case class Booking(name: String, from: Double, to: Double)

/** Pairs that overlap. Sorted by start, each new one can only meet those that are still open. */
def conflicts(bookings: Seq[Booking]): Seq[(Booking, Booking)] =
  val (_, found) = bookings.sortBy(_.from).foldLeft((List.empty[Booking], Vector.empty[(Booking, Booking)])) {
    case ((open, found), booking) =>
      val still = open.filter(_.to > booking.from)
      (booking :: still, found ++ still.map(_ -> booking))
  }
  found
// snippet:check
@main def check(): Unit =
  val day = Seq(Booking("lunch", 12, 13), Booking("standup", 9, 10), Booking("interview", 9.5, 12.5), Booking("review", 13, 14))
  println(conflicts(day).map((a, b) => (a.name, b.name)).mkString(" "))
