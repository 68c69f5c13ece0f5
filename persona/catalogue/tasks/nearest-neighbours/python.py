# snippet:doc https://docs.python.org/3/library/math.html#math.dist math.dist
import heapq
import math
from collections import Counter
from typing import NamedTuple


class Flower(NamedTuple):
    petal: tuple[float, float]  # length and width in cm
    kind: str


KNOWN = [
    Flower((1.4, 0.2), "setosa"),
    Flower((1.3, 0.3), "setosa"),
    Flower((4.5, 1.5), "versicolor"),
    Flower((4.1, 1.3), "versicolor"),
    Flower((5.9, 2.1), "virginica"),
    Flower((5.5, 1.8), "virginica"),
]


def classify(petal: tuple[float, float], k: int = 3) -> tuple[str, float]:
    """The commonest kind among the k nearest, and the share of them that agreed."""
    nearest = heapq.nsmallest(k, KNOWN, key=lambda flower: math.dist(flower.petal, petal))
    [(kind, votes)] = Counter(flower.kind for flower in nearest).most_common(1)
    return kind, votes / len(nearest)
# snippet:check


print(classify((1.5, 0.2), k=2), classify((5.0, 1.7)))
# snippet:prints ('setosa', 1.0) ('versicolor', 0.6666666666666666)
