# snippet:doc https://docs.python.org/3/library/random.html#random.uniform random.uniform
import random
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def retry(
    operation: Callable[[], T],
    *,
    attempts: int = 5,
    base: float = 0.2,
    cap: float = 10.0,
    retry_on: tuple[type[Exception], ...] = (ConnectionError, TimeoutError),
) -> T:
    """Call operation until it succeeds, with random pauses whose limit doubles up to cap."""
    limit = min(cap, base)
    for attempt in range(1, attempts + 1):
        try:
            return operation()
        except retry_on:
            if attempt == attempts:
                raise
            # Full jitter: clients that failed together do not come back together.
            time.sleep(random.uniform(0, limit))
            limit = min(cap, limit * 2)
    raise ValueError("attempts must be at least 1")
# snippet:check


calls = 0


def flaky() -> str:
    global calls
    calls += 1
    if calls < 3:
        raise ConnectionError("refused")
    return f"ok after {calls} calls"


print(retry(flaky, base=0.001))
try:
    retry(lambda: 1 // 0, base=0.001)
except ZeroDivisionError:
    print("other errors are not retried")
# snippet:prints ok after 3 calls
# snippet:prints other errors are not retried
