# snippet:usage
# snippet:doc https://nim-lang.org/docs/manual.html#iterators-and-the-for-statement-firstminusclass-iterators First-class iterators
# snippet:prints @[1, 9, 25, 49]
# snippet:prints numbers taken: 7
# snippet:end
import std/sequtils

type Source[T] = iterator (): T {.closure.}

func where[T](source: Source[T], keep: proc (x: T): bool {.noSideEffect.}): Source[T] =
  result = iterator (): T =
    for x in source(): # asks for one item at a time
      if keep(x): yield x

func mapped[T, U](source: Source[T], change: proc (x: T): U {.noSideEffect.}): Source[U] =
  result = iterator (): U =
    for x in source(): yield change(x)

iterator first[T](source: Source[T], n: Positive): T =
  var left = n.int # a Positive could not become zero
  for x in source():
    yield x
    dec left
    if left == 0: break # the source is not asked again: it may be endless
# snippet:usage
var taken = 0
proc source(): Source[int] =
  result = iterator (): int =
    var n = 0
    while true:
      inc n
      inc taken
      yield n
let odd = source().where(func (x: int): bool = x mod 2 == 1)
echo toSeq(odd.mapped(func (x: int): int = x * x).first(4))
echo "numbers taken: ", taken
