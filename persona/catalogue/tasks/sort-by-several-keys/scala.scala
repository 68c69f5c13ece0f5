// snippet:doc https://www.scala-lang.org/api/3.x/scala/math/Ordering.html scala.math.Ordering
// snippet:needs Scala 3
// snippet:prints 1. Cy, 2. Ann, 3. bo
// snippet:prints true
import scala.math.Ordering.Implicits.*

final case class Player(name: String, score: Option[Int], seconds: Double)

object Player:
  /** Best score first, those without one last, then the quicker, then by name. */
  given ranking: Ordering[Player] =
    Ordering
      .by[Player, Option[Int]](_.score)
      .reverse
      .orElseBy(_.seconds)(using Ordering.Double.TotalOrdering)
      .orElseBy(_.name.toLowerCase)

def podium(players: Seq[Player]): Seq[String] =
  players.sorted.take(3).zipWithIndex.map((player, i) => s"${i + 1}. ${player.name}")

def isBetter(a: Player, b: Player): Boolean = a < b
// snippet:check
@main def check(): Unit =
  val players = List(Player("bo", Some(10), 2.5), Player("Ann", Some(10), 2.5), Player("Eve", None, 0.1), Player("Cy", Some(12), 9))
  println(podium(players).mkString(", "))
  println(isBetter(players(3), players(0)))
