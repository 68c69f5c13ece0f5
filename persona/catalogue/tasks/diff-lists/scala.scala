// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/immutable/Map.html immutable.Map
// snippet:needs Scala 3
// snippet:prints (log,Added(json))
// snippet:prints (port,Changed(80,443))
// snippet:prints (tls,Removed(off))
enum Change[+A]:
  case Added(value: A)
  case Removed(value: A)
  case Changed(from: A, to: A)

/** What turns one map into another, ordered by key. */
def diff[K: Ordering, A](before: Map[K, A], after: Map[K, A]): List[(K, Change[A])] =
  (before.keySet ++ after.keySet).toList.sorted.flatMap { key =>
    val change = (before.get(key), after.get(key)) match
      case (None, Some(value))                 => Some(Change.Added(value))
      case (Some(value), None)                 => Some(Change.Removed(value))
      case (Some(from), Some(to)) if from != to => Some(Change.Changed(from, to))
      case _                                   => None
    change.map(key -> _)
  }
// snippet:check
@main def check(): Unit =
  diff(Map("port" -> "80", "host" -> "a", "tls" -> "off"), Map("port" -> "443", "host" -> "a", "log" -> "json")).foreach(println)
