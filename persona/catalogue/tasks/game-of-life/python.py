# snippet:doc https://docs.python.org/3/library/collections.html#collections.Counter collections.Counter
from collections import Counter

Cell = tuple[int, int]  # row, column


def next_generation(alive: set[Cell]) -> set[Cell]:
    """Two living neighbours keep a cell alive; with three it lives in any case."""
    neighbours = Counter(
        (row + down, column + right)
        for row, column in alive
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0)
    )
    return {cell for cell, count in neighbours.items() if count == 3 or count == 2 and cell in alive}


world = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}  # a glider
for generation in range(4):
    world = next_generation(world)
for row in range(4):
    print("".join("#" if (row, column) in world else "." for column in range(8)))
# snippet:prints ........
# snippet:prints ..#.....
# snippet:prints ...#....
# snippet:prints .###....
