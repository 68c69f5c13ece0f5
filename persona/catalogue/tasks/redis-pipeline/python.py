# snippet:doc https://redis.io/docs/latest/develop/using-commands/pipelining/ Pipelining
# snippet:needs Python 3.10
# snippet:about Redis
# snippet:into Call it with a client of your server, such as redis.Redis(decode_responses=True).
# snippet:check
# snippet:prints 2500
# snippet:prints ['price 0', None]
# snippet:end
import redis


def store(r: redis.Redis, values: dict[str, str], seconds: int = 3600, size: int = 1000) -> None:
    items = list(values.items())
    for start in range(0, len(items), size):
        with r.pipeline(transaction=False) as pipe:
            for key, value in items[start : start + size]:
                pipe.set(key, value, ex=seconds)
            pipe.execute()  # raises the first error


def load(r: redis.Redis, keys: list[str]) -> list[str | None]:
    return r.mget(keys) if keys else []  # None where a key is missing


# snippet:check
import server
r = server.connect()
store(r, {f"price:{i}": f"price {i}" for i in range(2500)})
print(r.dbsize())
print(load(r, ["price:0", "price:9999"]))
assert load(r, []) == []
