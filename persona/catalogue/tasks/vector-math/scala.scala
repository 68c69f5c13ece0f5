// snippet:doc https://docs.scala-lang.org/scala3/reference/contextual/extension-methods.html Extension methods
// snippet:needs Scala 3
// snippet:prints 5.0 None 22.0
// snippet:prints Some(Vec2(2.0,1.0))
final case class Vec2(x: Double, y: Double):
  def +(o: Vec2): Vec2 = Vec2(x + o.x, y + o.y)
  def -(o: Vec2): Vec2 = Vec2(x - o.x, y - o.y)
  def *(factor: Double): Vec2 = Vec2(x * factor, y * factor)
  infix def dot(o: Vec2): Double = x * o.x + y * o.y
  def length: Double = math.hypot(x, y)

  /** None for a vector without a direction: zero or as good as zero, or of no finite length. */
  def normalized: Option[Vec2] = Option.when(length > 1e-12 && length.isFinite)(this * (1 / length))

object Vec2:
  val zero: Vec2 = Vec2(0, 0)

extension (factor: Double) def *(v: Vec2): Vec2 = v * factor

extension (points: Iterable[Vec2])
  def centre: Option[Vec2] =
    Option.when(points.nonEmpty)(points.reduce(_ + _) * (1.0 / points.size))
// snippet:check
@main def check(): Unit =
  assert(Vec2(1.5e308, 1.5e308).normalized.isEmpty)
  println(s"${Vec2(3, 4).length} ${Vec2.zero.normalized} ${(2.0 * Vec2(1, 2)) dot Vec2(3, 4)}")
  println(List(Vec2(0, 0), Vec2(4, 2)).centre)
