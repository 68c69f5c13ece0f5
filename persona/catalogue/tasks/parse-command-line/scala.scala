// snippet:doc https://docs.scala-lang.org/scala3/book/control-structures.html Pattern matching
// snippet:needs Scala 3
// snippet:prints Right(Options(3,true,List(a.txt)))
// snippet:prints Left(--top wants a number from 1, not x)
// snippet:prints Left(--quiet is unknown or lacks a value)
// snippet:prints Left(usage: words [-v] [--top N] FILE...)
import scala.annotation.tailrec

final case class Options(top: Int = 10, verbose: Boolean = false, files: List[String] = Nil)

val usage = "usage: words [-v] [--top N] FILE..."

@tailrec
def parse(args: List[String], options: Options = Options()): Either[String, Options] =
  args match
    case ("-v" | "--verbose") :: rest => parse(rest, options.copy(verbose = true))
    case "--top" :: value :: rest =>
      value.toIntOption.filter(_ > 0) match
        case Some(n) => parse(rest, options.copy(top = n))
        case None    => Left(s"--top wants a number from 1, not $value")
    case s"-$option" :: _             => Left(s"-$option is unknown or lacks a value")
    case file :: rest                 => parse(rest, options.copy(files = file :: options.files))
    case Nil if options.files.isEmpty => Left(usage)
    case Nil                          => Right(options.copy(files = options.files.reverse))
// snippet:check
@main def check(): Unit =
  println(parse(List("-v", "--top", "3", "a.txt")))
  List(List("--top", "x"), List("--quiet", "a"), Nil).foreach(args => println(parse(args)))
