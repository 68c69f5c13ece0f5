# snippet:usage
# snippet:doc https://nim-lang.org/docs/parseopt.html std/parseopt
# snippet:prints (count: 10, verbose: false, files: @["a.txt"])
# snippet:prints (count: 3, verbose: true, files: @[])
# snippet:prints --count: a number from 1 to 100, not "many"
# snippet:prints colour: unknown option. usage: greet [--count:N] [--verbose] [FILE]...
# snippet:prints (count: 7, verbose: false, files: @[])
# snippet:prints --verbose: takes no value
# snippet:end
import std/[parseopt, strutils]

const usage = "usage: greet [--count:N] [--verbose] [FILE]..."

type
  Options = object
    count: int
    verbose: bool
    files: seq[string]

proc parse(arguments: seq[string]): Options =
  ## Reads "--count:N", "-c:N", "--verbose", "-v" and files. A mistake is a ValueError that names the option.
  ## No arguments at all means those of the program itself.
  result.count = 10
  var parser = initOptParser(arguments, shortNoVal = {'v', 'h'}, longNoVal = @["verbose", "help"])
  for kind, key, value in parser.getopt:
    case kind
    of cmdEnd: discard
    of cmdArgument: result.files.add key
    of cmdLongOption, cmdShortOption:
      case key
      of "count", "c":
        result.count = try: parseInt(value) except ValueError: 0
        if result.count notin 1 .. 100:
          raise newException(ValueError, "--count: a number from 1 to 100, not " & value.escape)
      of "verbose", "v":
        if value != "": raise newException(ValueError, "--verbose: takes no value")
        result.verbose = true
      of "help", "h": quit usage, QuitSuccess
      else: raise newException(ValueError, key & ": unknown option. " & usage)
# snippet:usage
for arguments in [@["a.txt"], @["--count:3", "-v"], @["--count:many"], @["--colour"], @["-c:7"], @["--verbose:no"]]:
  try: echo parse(arguments)
  except ValueError as problem: echo problem.msg
