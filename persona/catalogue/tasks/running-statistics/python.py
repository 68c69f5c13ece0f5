# snippet:doc https://docs.python.org/3/library/dataclasses.html dataclasses
import math
from dataclasses import dataclass


@dataclass
class RunningStats:
    """Mean and standard deviation of a stream, one value at a time (Welford, 1962)."""

    n: int = 0
    mean: float = 0.0
    _m2: float = 0.0

    def add(self, x: float) -> None:
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        # The sum of squares minus n times the squared mean can lose every digit when the mean is large.
        self._m2 += delta * (x - self.mean)

    @property
    def stdev(self) -> float:
        return math.sqrt(self._m2 / (self.n - 1)) if self.n > 1 else math.nan


stats = RunningStats()
for reading in (1_000_000_004, 1_000_000_007, 1_000_000_013, 1_000_000_016):
    stats.add(reading)
print(f"{stats.mean:.1f} +/- {stats.stdev:.3f}")
# snippet:prints 1000000010.0 +/- 5.477
