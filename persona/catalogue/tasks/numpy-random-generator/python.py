# snippet:doc https://numpy.org/doc/stable/reference/random/generator.html Random Generator
# snippet:about NumPy
# snippet:needs NumPy 1.25
# snippet:prints 3.13
# snippet:prints True
import numpy as np


def estimate_pi(rng: np.random.Generator, samples: int) -> float:
    x, y = rng.random((2, samples))
    return 4 * np.mean(x * x + y * y < 1)


# Each worker gets a generator of its own: equal seeds would give equal "random" numbers.
workers = np.random.default_rng(seed=20250305).spawn(4)
estimates = [estimate_pi(rng, 10_000) for rng in workers]
print(round(np.mean(estimates), 2))

# snippet:usage
again = [estimate_pi(rng, 10_000) for rng in np.random.default_rng(seed=20250305).spawn(4)]
print(again == estimates and len(set(estimates)) == 4)
