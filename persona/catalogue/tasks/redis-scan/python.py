# snippet:doc https://redis.io/docs/latest/commands/scan/ SCAN
# snippet:about Redis
# snippet:check
# snippet:prints 250
# snippet:prints ['session:bob:0']
# snippet:end
import redis


def delete_matching(r: redis.Redis, pattern: str, size: int = 500) -> int:
    # In a name from outside, *, ?, [, ] and \ need a \ in front, or it matches other keys.
    deleted = 0
    batch: list[bytes | str] = []
    for key in r.scan_iter(match=pattern, count=size):
        batch.append(key)
        if len(batch) >= size:
            deleted += r.unlink(*batch)
            batch.clear()
    return deleted + (r.unlink(*batch) if batch else 0)


# snippet:check
import server
r = server.connect()
r.mset({f"session:ada:{i}": "x" for i in range(250)} | {"session:bob:0": "x"})
print(delete_matching(r, "session:ada:*", size=100))
print(r.keys())
