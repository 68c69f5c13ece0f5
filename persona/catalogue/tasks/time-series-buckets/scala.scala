// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/Iterable.html groupMap
// snippet:needs Scala 3
// snippet:prints 2026-01-01T00:00:00Z 2 Some(3.0)
// snippet:prints 2026-01-01T00:01:00Z 0 None
// snippet:prints 2026-01-01T00:02:00Z 1 Some(7.0)
import java.time.{Duration, Instant}

final case class Reading(at: Instant, value: Double)

final case class Bucket(start: Instant, values: Vector[Double]):
  def mean: Option[Double] = Option.when(values.nonEmpty)(values.sum / values.size)

/** Equal intervals of whole milliseconds from the first reading to the last, gaps included. */
def buckets(readings: Iterable[Reading], width: Duration): Seq[Bucket] =
  val millis = width.toMillis
  val groups = readings.groupMap(r => Math.floorDiv(r.at.toEpochMilli, millis))(_.value)
  if groups.isEmpty then Seq.empty
  else
    for i <- groups.keys.min to groups.keys.max
    yield Bucket(Instant.ofEpochMilli(i * millis), groups.getOrElse(i, Nil).toVector)
// snippet:check
@main def check(): Unit =
  val start = Instant.parse("2026-01-01T00:00:00Z")
  val readings = List(Reading(start, 2), Reading(start.plusSeconds(20), 4), Reading(start.plusSeconds(130), 7))
  buckets(readings, Duration.ofMinutes(1)).foreach(b => println(s"${b.start} ${b.values.size} ${b.mean}"))
