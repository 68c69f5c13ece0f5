// snippet:doc https://docs.scala-lang.org/overviews/collections-2.13/introduction.html Scala collections
// snippet:prints Left(List((name,List(Please tell us your name.)), (password,List(Use at least 12 characters.))))
// snippet:prints Right(ada@example.com)
import java.util.Locale

final case class SignUp(name: String, email: String, password: String)

type Problems = Map[String, List[String]]

private val Email = """[^@\s]+@[^@\s.]+(\.[^@\s.]+)+""".r

/** The cleaned form, or all problems by field. */
def validate(form: SignUp): Either[Problems, SignUp] =
  val clean = form.copy(name = form.name.trim, email = form.email.trim.toLowerCase(Locale.ROOT))
  val rules = List(
    ("name", clean.name.nonEmpty, "Please tell us your name."),
    ("email", clean.email.length <= 254 && Email.matches(clean.email), "Write it like ada@example.com."),
    ("password", clean.password.length >= 12, "Use at least 12 characters."),
    ("password", clean.password != clean.email, "Do not use your address.")
  )
  val problems = rules.collect { case (field, false, message) => field -> message }
  if problems.isEmpty then Right(clean) else Left(problems.groupMap(_(0))(_(1)))
// snippet:check
@main def check(): Unit =
  println(validate(SignUp(" ", "Ada@example.com ", "short")).left.map(_.toList.sortBy(_(0))))
  assert(validate(SignUp("Ada", "a@b" + ".b" * 9999, "correct horse battery")).isLeft)
  println(validate(SignUp("Ada", "Ada@example.com ", "correct horse battery")).map(_.email))
