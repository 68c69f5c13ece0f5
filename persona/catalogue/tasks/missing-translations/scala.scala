// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/immutable/Map.html Map
// snippet:needs Scala 3
// snippet:prints Missing(empty)
// snippet:prints Missing(save)
// snippet:prints Unused(old)
// snippet:prints Placeholders(greeting,Set(name),Set())
// snippet:end
enum Problem:
  case Missing(key: String)
  case Unused(key: String)
  case Placeholders(key: String, wanted: Set[String], found: Set[String])

private val placeholder = raw"\{(\w+)\}".r
private def placeholders(text: String): Set[String] = placeholder.findAllMatchIn(text).map(_.group(1)).toSet

/** The keys that have a text: one that was left empty is missing, too. */
private def written(texts: Map[String, String]): Set[String] = texts.keySet.filter(texts(_).nonEmpty)

/** What is wrong with a translation, in the order of a report: a build fails if there is anything. */
def problems(source: Map[String, String], translation: Map[String, String]): Seq[Problem] =
  val missing = (written(source) -- written(translation)).toSeq.sorted.map(Problem.Missing(_))
  val unused = (translation.keySet -- source.keySet).toSeq.sorted.map(Problem.Unused(_))
  val broken = for
    key <- written(source).intersect(written(translation)).toSeq.sorted
    (wanted, found) = (placeholders(source(key)), placeholders(translation(key)))
    if wanted != found
  yield Problem.Placeholders(key, wanted, found)
  missing ++ unused ++ broken
// snippet:check
@main def check(): Unit =
  problems(Map("greeting" -> "Hello {name}", "empty" -> "Empty", "save" -> "Save", "full" -> "Full"), Map("greeting" -> "Hallo", "full" -> "Voll", "old" -> "Alt", "save" -> "")).foreach(println)
