# snippet:check
# snippet:doc https://docs.python.org/3/library/itertools.html#itertools.zip_longest itertools.zip_longest
# snippet:prints good ACGT
# snippet:prints record 2 breaks off or is not FASTQ
# snippet:prints record 1 breaks off or is not FASTQ
# snippet:end
from collections.abc import Iterable, Iterator
from itertools import zip_longest

# The chance that a base with this quality letter is wrong (Phred, offset 33).
ERROR = {chr(33 + score): 10 ** (-score / 10) for score in range(94)}


def reads(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Name, sequence and quality of each record of four lines."""
    stripped = iter(line.rstrip("\r\n") for line in lines)
    for number, record in enumerate(zip_longest(*[stripped] * 4), 1):
        name, sequence, plus, quality = record
        sound = None not in record and name[:1] == "@" and plus[:1] == "+" and len(sequence) == len(quality)
        if not sound or set(quality) - ERROR.keys():
            raise ValueError(f"record {number} breaks off or is not FASTQ")
        yield name[1:], sequence, quality


def good_reads(lines: Iterable[str], most_errors: float = 0.5) -> Iterator[tuple[str, str]]:
    """Those that expect few wrong bases. A mean of the scores would hide a single very bad one."""
    for name, sequence, quality in reads(lines):
        if sum(map(ERROR.__getitem__, quality)) <= most_errors:
            yield name, sequence
# snippet:check


for name, sequence in good_reads("@good\nACGT\n+\nIIII\n@bad\nACGT\n+\nIII\"\n".splitlines(keepends=True)):
    print(name, sequence)
for broken in (["@a", "AC", "+", "II", "@b", "AC"], ["@a", "AC", "+", "I "]):
    try:
        list(good_reads(broken))
    except ValueError as problem:
        print(problem)
