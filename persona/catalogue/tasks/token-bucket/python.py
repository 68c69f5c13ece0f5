# snippet:doc https://docs.python.org/3/library/time.html#time.monotonic time.monotonic
import threading
import time
from collections.abc import Callable


class TokenBucket:
    """Allow `rate` calls a second on average and bursts of up to `burst`."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic):
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens, self._updated = float(burst), clock()
        self._lock = threading.Lock()

    def allow(self) -> bool:
        with self._lock:
            now = self._clock()
            earned = (now - self._updated) * self._rate
            tokens = min(self._burst, self._tokens + earned)
            if tokens < 1 - 1e-9:  # a token that rounding made a trifle less is one
                return False  # and nothing changes: rounding errors would add up
            self._tokens, self._updated = tokens - 1, now
            return True
# snippet:usage
# snippet:prints [True, True, True, False]
# snippet:prints [True, False]


now = 0.0
bucket = TokenBucket(rate=2, burst=3, clock=lambda: now)
print([bucket.allow() for _ in range(4)])
now = 0.5
print([bucket.allow() for _ in range(2)])
# snippet:check
bucket, allowed = TokenBucket(rate=10, burst=1, clock=lambda: now), 0
for tick in range(1, 1001):
    now = 0.5 + tick / 10
    allowed += bucket.allow()
assert allowed == 1000, allowed
