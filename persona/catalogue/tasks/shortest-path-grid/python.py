# snippet:doc https://docs.python.org/3/library/collections.html#collections.deque collections.deque
from collections import deque

MAZE = """
#########
#S..#...#
#.#.#.#.#
#.#...#G#
#########
""".split()


def shortest_path(maze: list[str], start: str = "S", goal: str = "G") -> int | None:
    """The fewest steps, or None: a cell is first reached by a shortest way. The maze has a start."""
    cells = {(r, c): ch for r, row in enumerate(maze) for c, ch in enumerate(row)}
    origin = next(cell for cell, ch in cells.items() if ch == start)
    steps = {origin: 0}
    queue = deque([origin])
    while queue:
        r, c = here = queue.popleft()
        if cells[here] == goal:
            return steps[here]
        for there in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if cells.get(there, "#") != "#" and there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return None


print(shortest_path(MAZE))
# snippet:prints 12
