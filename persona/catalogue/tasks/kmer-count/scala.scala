// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/StringOps.html sliding
// snippet:needs Scala 3
// snippet:prints List((AT,3), (CA,2), (GC,1), (TG,1))
// snippet:prints List()
// snippet:end
/** The words of k known bases with their counts, the most frequent first, ties in alphabetical order. */
def kmers(sequence: String, k: Int): List[(String, Int)] =
  require(k > 0, "k must be above zero")
  sequence.toUpperCase
    .sliding(k) // lazily: one word at a time
    .filter(word => word.length == k && word.forall("ACGT".contains(_)))
    .foldLeft(Map.empty[String, Int])((counts, word) => counts.updatedWith(word)(n => Some(n.getOrElse(0) + 1)))
    .toList
    .sortBy((word, count) => (-count, word))
// snippet:check
@main def check(): Unit =
  println(kmers("ATnCATGCAT", 2))
  println(kmers("AC", 3))
