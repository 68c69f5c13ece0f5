# snippet:usage
# snippet:doc https://docs.python.org/3/library/math.html#math.dist math.dist
# snippet:end
from math import dist

Point = tuple[float, float]


def to_segment(p: Point, a: Point, b: Point) -> float:
    """The distance from a point to a segment, whose ends may be the same place."""
    (ax, ay), (bx, by) = a, b
    squared = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / squared if squared else 0
    along = min(1, max(0, along))
    return dist(p, (ax + along * (bx - ax), ay + along * (by - ay)))


def simplify(line: list[Point], tolerance: float) -> list[Point]:
    """What is dropped is within the tolerance of what remains (Douglas and Peucker). Coordinates are finite."""
    if len(line) < 3:
        return line[:]
    keep = {0, len(line) - 1}
    parts = [(0, len(line) - 1)]  # a stack: a long line could nest too deeply for recursion
    while parts:
        first, last = parts.pop()
        middle = range(first + 1, last)
        farthest = max(middle, key=lambda i: to_segment(line[i], line[first], line[last]), default=None)
        if farthest is not None and to_segment(line[farthest], line[first], line[last]) > tolerance:
            keep.add(farthest)
            parts += [(first, farthest), (farthest, last)]
    return [line[i] for i in sorted(keep)]
# snippet:usage
# snippet:prints [(0, 0), (2, 3), (4, 0)]


print(simplify([(0, 0), (1, 1.6), (2, 3), (3, 1.45), (4, 0)], 0.2))
# snippet:check
assert simplify([], 1) == [] and simplify([(1, 2)], 1) == [(1, 2)]
assert len(simplify([(0, 0), (5, 0), (0, 0)], 1)) == 3
assert len(simplify([(i, 0) for i in range(5000)], 0.1)) == 2
