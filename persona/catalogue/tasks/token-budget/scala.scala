// snippet:check
// snippet:doc https://www.scala-lang.org/api/3.x/scala/collection/immutable/List.html List
// snippet:needs Scala 3
// snippet:prints system:Be brief. user:q2 assistant:a2 user:q3
// snippet:prints dropped 2
// snippet:end
enum Role { case System, User, Assistant }
final case class Message(role: Role, text: String)
final case class Fitted(messages: List[Message], dropped: Int)

def tokens(m: Message): Int = m.text.length / 4 + 4 // an estimate; a provider's own counter is exact

/** The system messages and as many of the newest ones as fit, with a reserve for the answer. What is kept
  * begins with a user's message, so that no answer stands there without its question.
  */
def fit(conversation: List[Message], limit: Int, reserve: Int): Fitted =
  val (system, rest) = conversation.partition(_.role == Role.System)
  val budget = limit - reserve - system.map(tokens).sum
  val sums = rest.reverse.scanLeft(0)((sum, m) => sum + tokens(m)).tail
  val newest = rest.takeRight(sums.takeWhile(_ <= budget).size).dropWhile(_.role != Role.User)
  val fits = budget >= 0 && (newest.nonEmpty || rest.isEmpty)
  require(fits, s"no question fits into $budget tokens with what follows it")
  Fitted(system ++ newest, rest.size - newest.size)
// snippet:check
@main def check(): Unit =
  import Role.*
  val talk = List(Message(System, "Be brief."), Message(User, "q1"), Message(Assistant, "a1"), Message(User, "q2"), Message(Assistant, "a2"), Message(User, "q3"))
  val fitted = fit(talk, 30, 7)
  println(fitted.messages.map(m => s"${m.role.toString.toLowerCase}:${m.text}").mkString(" "))
  println(s"dropped ${fitted.dropped}")
  assert(scala.util.Try(fit(List(Message(User, "x" * 400)), 100, 20)).isFailure)
