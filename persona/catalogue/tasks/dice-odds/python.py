# snippet:check
# snippet:doc https://docs.python.org/3/library/fractions.html fractions
# snippet:description Count all throws of several dice and get the exact chance of each total, also where only the highest dice
# snippet:description count. From it follows the chance to reach a number. Fractions stay exact until they are printed.
# snippet:prints 7 with 2d6: 1/6
# snippet:prints 15 or more with 3d6: 5/54
# snippet:prints 4d6, the best three, 18: 7/432
# snippet:end
from collections import Counter
from fractions import Fraction
from itertools import product


def odds(count: int, sides: int, keep: int | None = None) -> dict[int, Fraction]:
    """The exact chance of each total; with keep only the highest dice count.

    All throws are counted: fine up to some million of them, such as eight dice of six sides.
    """
    throws = product(range(1, sides + 1), repeat=count)
    totals = Counter(sum(sorted(throw, reverse=True)[:keep]) for throw in throws)
    return {total: Fraction(n, sides**count) for total, n in totals.items()}


def at_least(target: int, chances: dict[int, Fraction]) -> Fraction:
    return sum((chance for total, chance in chances.items() if total >= target), Fraction())
# snippet:check


print("7 with 2d6:", odds(2, 6)[7])
print("15 or more with 3d6:", at_least(15, odds(3, 6)))
print("4d6, the best three, 18:", odds(4, 6, keep=3)[18])
assert odds(3, 6, keep=5) == odds(3, 6)
