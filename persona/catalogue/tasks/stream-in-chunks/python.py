# snippet:doc https://docs.python.org/3/library/itertools.html#itertools.islice itertools.islice
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split any stream into lists of at most `size`. New Pythons have one in itertools."""
    if size < 1:
        raise ValueError(f"a batch of {size} items")
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def valid_events(lines: Iterable[str]) -> Iterator[dict]:
    for number, line in enumerate(lines, start=1):
        problem = "no object with an id"
        try:
            event = json.loads(line)
            if isinstance(event, dict) and "id" in event:
                yield event
                continue
        except (ValueError, RecursionError) as error:
            problem = str(error)
        # A line that is no event must not stop a night's load; say where it was.
        print(f"line {number} skipped: {problem}", file=sys.stderr)


lines = ['{"id": 1}', "{oops", "null", '{"id": 2}', '{"id": 3}']
for batch in batched(valid_events(lines), size=2):
    print("insert", [event["id"] for event in batch])
# snippet:check
try:
    next(batched(lines, 0))
except ValueError as problem:
    print(problem)
# snippet:prints insert [1, 2]
# snippet:prints insert [3]
# snippet:prints a batch of 0 items
