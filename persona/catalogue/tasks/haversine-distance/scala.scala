// snippet:check
// snippet:doc https://docs.scala-lang.org/scala3/book/domain-modeling-tools.html Case classes
// snippet:needs Scala 3
// snippet:prints 343.6 km
// snippet:prints 20015.1 km
// snippet:end
import scala.math.*

final case class Place(latitude: Double, longitude: Double): // in degrees
  /** The distance over the ground in km, on a sphere. */
  def distanceTo(other: Place): Double =
    val northward = (other.latitude - latitude).toRadians
    val eastward = (other.longitude - longitude).toRadians
    val h = pow(sin(northward / 2), 2) +
      cos(latitude.toRadians) * cos(other.latitude.toRadians) * pow(sin(eastward / 2), 2)
    2 * Place.earthRadiusKm * asin(sqrt(min(1, h)))

object Place:
  val earthRadiusKm = 6371.0088
// snippet:check
@main def check(): Unit =
  println(f"${Place(51.5074, -0.1278).distanceTo(Place(48.8566, 2.3522))}%.1f km")
  println(f"${Place(0, 0).distanceTo(Place(0, 180))}%.1f km")
