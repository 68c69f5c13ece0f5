# snippet:doc https://docs.python.org/3/library/time.html#time.perf_counter time.perf_counter
import time
from collections.abc import Callable

STEP = 1 / 60  # seconds of simulation per update, whatever the screen does


def run(
    update: Callable[[float], None],
    draw: Callable[[float], None],
    running: Callable[[], bool],
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    previous, behind = clock(), 0.0
    while running():
        now = clock()
        # After a hiccup skip time instead of simulating ever more of it.
        behind += min(now - previous, 0.25)
        previous = now
        while behind >= STEP:
            update(STEP)
            behind -= STEP
        draw(behind / STEP)  # how far between two states the picture is
# snippet:check


times = iter([0.0, 0.02, 0.05, 9.0])
frames = iter([True, True, True, False])
steps: list[float] = []
run(
    lambda dt: steps.append(dt),
    lambda blend: print(f"{len(steps)} steps, blend {blend:.2f}"),
    lambda: next(frames),
    lambda: next(times),
)
# snippet:prints 1 steps, blend 0.20
# snippet:prints 3 steps, blend 0.00
# snippet:prints 18 steps, blend 0.00
