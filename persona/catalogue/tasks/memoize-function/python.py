# snippet:doc https://docs.python.org/3/library/functools.html#functools.cache functools.cache
from functools import cache


@cache
def ways(amount: int, coins: tuple[int, ...]) -> int:
    """In how many ways can the coins, each above zero, make this amount? Calls nest deeply where it is large."""
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    # Either the first coin is used once more, or never again.
    return ways(amount - coins[0], coins) + ways(amount, coins[1:])


print(ways(200, (200, 100, 50, 20, 10, 5, 2, 1)))
print(ways.cache_info())
# snippet:prints 73682
# snippet:prints CacheInfo(hits=274, misses=693, maxsize=None, currsize=693)
