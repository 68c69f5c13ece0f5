# snippet:check
# snippet:doc https://docs.python.org/3/library/heapq.html#heapq.nlargest heapq.nlargest
# snippet:prints 2 dimensions: refused
# snippet:prints [('same', 1.0), ('near', 0.707)]
# snippet:end
import heapq
import math
from collections.abc import Iterable, Sequence


def unit(vector: Sequence[float]) -> list[float] | None:
    length = math.hypot(*vector)
    return [x / length for x in vector] if length else None  # zeros have no direction


class Index:
    """Finds similar vectors by comparing with all of them."""

    def __init__(self, entries: Iterable[tuple[str, Sequence[float]]]):
        self.entries = [(key, u) for key, vector in entries if (u := unit(vector))]

    def search(self, query: Sequence[float], n: int = 5) -> list[tuple[str, float]]:
        q = unit(query)
        if q is None:
            return []
        scored = ((key, sum(a * b for a, b in zip(u, q, strict=True))) for key, u in self.entries)
        return heapq.nlargest(n, scored, key=lambda entry: entry[1])
# snippet:check


index = Index([("near", [1.0, 0.0, 0.0]), ("zero", [0.0, 0.0, 0.0]), ("same", [2.0, 2.0, 0.0]), ("far", [0.0, 0.0, 1.0])])
try:
    index.search([1.0, 1.0])
except ValueError:
    print("2 dimensions: refused")
print([(key, round(score, 3)) for key, score in index.search([1.0, 1.0, 0.0], 2)])
assert index.search([0.0, 0.0, 0.0]) == []
