// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/immutable/Vector.html Vector
// snippet:needs Scala 3
// snippet:prints true false
// snippet:prints true false false
// snippet:end
final case class Point(x: Double, y: Double)

final class Polygon(corners: Vector[Point]):
  require(corners.size >= 3, "a polygon has three corners at least")
  private val edges = corners.zip(corners.tail :+ corners.head)

  /** Whether a ray from the point to the right crosses an odd number of edges. */
  def contains(p: Point): Boolean =
    edges.count { (a, b) =>
      val crosses = (a.y > p.y) != (b.y > p.y) // each edge counts its lower end, not its upper one
      crosses && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
    } % 2 == 1
// snippet:check
@main def check(): Unit =
  val notch = Polygon(Vector(Point(0, 0), Point(4, 0), Point(4, 4), Point(2, 2), Point(0, 4)))
  println(s"${notch.contains(Point(1, 1))} ${notch.contains(Point(2, 3))}")
  println(s"${notch.contains(Point(1, 2))} ${notch.contains(Point(-1, 2))} ${notch.contains(Point(5, 4))}")
