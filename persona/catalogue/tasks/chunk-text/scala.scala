// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/StringOps.html StringOps
// snippet:description Cut a text into chunks of whole sentences; a blank line ends one, too. Each chunk begins with the last
// snippet:description sentence of the one before, if both fit, and remembers where it began, for the citation.
// snippet:prints Chunk(0,One. Two is longer.)
// snippet:prints Chunk(5,Two is longer. Three.)
// snippet:prints Vector(Chunk(2,Heading), Chunk(11,It is 3.14 or so.), Chunk(29,End.))
// snippet:end
final case class Chunk(start: Int, text: String)

// It ends where a space follows, or at a blank line: "3.14" is no end, and a heading is one of its own.
private val sentence = raw"\S[\s\S]*?(?:[.!?]\s+|\n\s*\n|\z)".r

/** Chunks of whole sentences, of at most `most` characters where sentences allow it; each begins with the last
  * sentence of the one before, if both fit.
  */
def chunks(text: String, most: Int): Vector[Chunk] =
  val sentences = sentence.findAllMatchIn(text).map(m => Chunk(m.start, m.matched)).toVector
  val groups = sentences.foldLeft(Vector.empty[Vector[Chunk]]) { (groups, next) =>
    groups.lastOption match
      case Some(group) if group.map(_.text.length).sum + next.text.trim.length <= most => groups.init :+ (group :+ next)
      case Some(group) if group.last.text.length + next.text.trim.length <= most => groups :+ Vector(group.last, next)
      case _ => groups :+ Vector(next)
  }
  groups.map(group => Chunk(group.head.start, group.map(_.text).mkString.trim))
// snippet:check
@main def check(): Unit =
  chunks("One. Two is longer. Three.", 21).foreach(println)
  println(chunks("  Heading\n\nIt is 3.14 or so. End.", 17))
