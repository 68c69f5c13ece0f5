// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/math.html scala.math
// snippet:needs Scala 3
// snippet:prints Vector(Point(0.0,0.0), Point(2.0,3.0), Point(4.0,0.0))
// snippet:end
import scala.math.*

final case class Point(x: Double, y: Double)

/** Drops points that are no farther than the tolerance from the line that remains (Douglas and Peucker).
  * Recursive: at worst as deep as the line has points.
  */
def simplify(line: Vector[Point], tolerance: Double): Vector[Point] =
  if line.size < 3 then line
  else
    val (first, last) = (line.head, line.last)
    val (farthest, at) = line.slice(1, line.size - 1).zipWithIndex
      .map((p, i) => (distance(p, first, last), i + 1)).maxBy(_(0))
    if farthest <= tolerance then Vector(first, last)
    else simplify(line.take(at + 1), tolerance).init ++ simplify(line.drop(at), tolerance)

/** From a point to a segment; its ends may be the same place. */
def distance(p: Point, a: Point, b: Point): Double =
  val (dx, dy) = (b.x - a.x, b.y - a.y)
  val squared = dx * dx + dy * dy
  val along = if squared == 0 then 0 else max(0.0, min(1.0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared))
  hypot(p.x - a.x - along * dx, p.y - a.y - along * dy)
// snippet:check
@main def check(): Unit =
  println(simplify(Vector(Point(0, 0), Point(1, 1.6), Point(2, 3), Point(3, 1.45), Point(4, 0)), 0.2))
  assert(simplify(Vector(Point(0, 0), Point(5, 0), Point(0, 0)), 1).size == 3) // back to its start
