# snippet:doc https://docs.python.org/3/library/random.html#random.Random random.Random
import math
import random


def estimate_pi(samples: int, seed: int) -> tuple[float, float]:
    """Return the estimate and its standard error, the same for the same seed."""
    # A generator of its own: other users of random do not shift this sequence.
    rng = random.Random(seed)
    inside = sum(math.hypot(rng.random(), rng.random()) <= 1 for _ in range(samples))
    p = inside / samples
    return 4 * p, 4 * math.sqrt(p * (1 - p) / samples)


for samples in (1_000, 10_000, 100_000):
    estimate, error = estimate_pi(samples, seed=2024)
    print(f"{samples:>7}  {estimate:.4f} ± {error:.4f}  off by {abs(estimate - math.pi):.4f}")
# snippet:prints    1000  3.1200 ± 0.0524  off by 0.0216
# snippet:prints   10000  3.1140 ± 0.0166  off by 0.0276
# snippet:prints  100000  3.1348 ± 0.0052  off by 0.0068
