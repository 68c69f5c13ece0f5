// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/Iterable.html groupMapReduce
// snippet:needs Scala 3
// snippet:prints (Bath,Total(1,900))
// snippet:prints (Rome,Total(2,600))
final case class Sale(city: String, cents: Long)

final case class Total(count: Int, cents: Long):
  def +(other: Total): Total = Total(count + other.count, cents + other.cents)

/** Count and sum per city, the largest sum first; no lists in between. */
def totals(sales: Iterable[Sale]): List[(String, Total)] =
  sales
    .groupMapReduce(_.city)(sale => Total(1, sale.cents))(_ + _)
    .toList
    .sortBy((city, total) => (-total.cents, city))
// snippet:check
@main def check(): Unit = totals(List(Sale("Rome", 200), Sale("Bath", 900), Sale("Rome", 400))).foreach(println)
