# snippet:check
# snippet:doc https://nim-lang.org/docs/unittest.html std/unittest
# snippet:prints fails: "  Two  words "
# snippet:prints 1 failed
# snippet:end
import std/[strutils, unittest]
# snippet:check
type Quiet = ref object of OutputFormatter
var failures = 0
method suiteStarted(formatter: Quiet, suiteName: string) = discard
method testStarted(formatter: Quiet, testName: string) = discard
method failureOccurred(formatter: Quiet, checkpoints: seq[string], stackTrace: string) = discard
method suiteEnded(formatter: Quiet) = discard
method testEnded(formatter: Quiet, testResult: TestResult) =
  if testResult.status == TestStatus.FAILED:
    inc failures
    echo "fails: ", testResult.testName
addOutputFormatter(Quiet())
# snippet:end

func slug(text: string): string =
  text.strip.toLowerAscii.replace(' ', '-') # two blanks make two hyphens: the table finds it

const cases = [
  (text: "Hello World", want: "hello-world"),
  (text: "", want: ""),
  (text: "  Two  words ", want: "two-words"),
]

suite "slug":
  for row in cases:
    test row.text.escape: # each row is a test with a name of its own, and the next one runs all the same
      check slug(row.text) == row.want
# snippet:check
echo failures, " failed"
programResult = 0
