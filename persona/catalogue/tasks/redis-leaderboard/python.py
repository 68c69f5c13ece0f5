# snippet:doc https://redis.io/docs/latest/develop/data-types/sorted-sets/ Sorted sets
# snippet:about Redis
# snippet:into Call it with a client of your server, such as redis.Redis(decode_responses=True).
# snippet:needs Python 3.10, Redis 6.2, redis-py 4
# snippet:check
# snippet:prints [('bob', 120.0), ('ada', 90.0)]
# snippet:prints 2
# snippet:prints None
# snippet:end
import redis


def submit(r: redis.Redis, board: str, player: str, score: float) -> None:
    r.zadd(board, {player: score}, gt=True)  # never replaced by a worse one


def top(r: redis.Redis, board: str, count: int = 10) -> list[tuple[str, float]]:
    return r.zrange(board, 0, count - 1, desc=True, withscores=True) if count > 0 else []  # -1 would be all


def place(r: redis.Redis, board: str, player: str) -> int | None:
    rank = r.zrevrank(board, player)
    return None if rank is None else rank + 1


# snippet:check
import server
r = server.connect()
for player, score in [("ada", 90), ("bob", 120), ("ada", 40)]:
    submit(r, "week", player, score)
print([tuple(entry) for entry in top(r, "week")])
assert top(r, "week", 0) == [] and len(top(r, "week", 1)) == 1
print(place(r, "week", "ada"))
print(place(r, "week", "eve"))
for player in ("Bob", "ada", "Äda"):
    submit(r, "ties", player, 5)
assert [player for player, _ in top(r, "ties")] == ["Äda", "ada", "Bob"]
