# snippet:usage
# snippet:doc https://nim-lang.org/docs/tables.html std/tables
# snippet:prints @[("AT", 3), ("CA", 2), ("GC", 1), ("TG", 1)]
# snippet:prints @[]
# snippet:end
import std/[algorithm, sequtils, strutils, tables]

iterator kmers(sequence: string, k: Positive): string =
  ## The words of k letters that hold known bases only.
  var known = 0
  for i, base in sequence:
    known = if base.toUpperAscii in {'A', 'C', 'G', 'T'}: known + 1 else: 0
    if known >= k:
      yield sequence[i - k + 1 .. i].toUpperAscii

proc countKmers(sequence: string, k: Positive): seq[(string, int)] =
  ## The most frequent first, ties in alphabetical order.
  var counts: CountTable[string]
  for kmer in sequence.kmers(k):
    counts.inc kmer
  result = toSeq(counts.pairs)
  result.sort do (a, b: (string, int)) -> int:
    cmp((-a[1], a[0]), (-b[1], b[0]))
# snippet:usage
echo countKmers("ATnCATGCAT", 2)
echo countKmers("AC", 3)
