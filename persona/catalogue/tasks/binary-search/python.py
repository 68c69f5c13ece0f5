# snippet:doc https://docs.python.org/3/library/bisect.html bisect
from collections.abc import Callable


def first_true(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Smallest n in [low, high) for which `holds`; high if there is none.

    `holds` must be false up to some point and true from there on. All below low
    is then known to be false and all from high on to be true, at every step.
    """
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def build_is_broken(number: int) -> bool:
    print("trying build", number)
    return number >= 713


print("first bad build:", first_true(700, 750, build_is_broken))
# snippet:prints trying build 725
# snippet:prints trying build 712
# snippet:prints trying build 719
# snippet:prints trying build 716
# snippet:prints trying build 714
# snippet:prints trying build 713
# snippet:prints first bad build: 713
