# snippet:doc https://redis.io/docs/latest/develop/using-commands/transactions/ Transactions
# snippet:about Redis
# snippet:check
# snippet:prints True 2
# snippet:prints False 2
# snippet:prints 2 tries
# snippet:end
import redis


def reserve(r: redis.Redis, item: str, quantity: int, tries: int = 5) -> bool:
    if quantity < 1:
        raise ValueError(f"quantity must be positive: {quantity}")
    key = f"stock:{item}"
    with r.pipeline() as pipe:
        for _ in range(tries):
            try:
                pipe.watch(key)
                stock = int(pipe.get(key) or 0)
                if stock < quantity:
                    return False
                pipe.multi()
                pipe.decrby(key, quantity)
                pipe.execute()
                return True
            except redis.WatchError:
                continue  # somebody was faster: look again
    raise TimeoutError(f"{item}: changed by others {tries} times")


# snippet:check
import server
r = server.connect()
r.set("stock:mug", 5)
print(reserve(r, "mug", 3), r.get("stock:mug"))
print(reserve(r, "mug", 3), r.get("stock:mug"))


class Rival(redis.Redis):
    reads = 0

    def pipeline(self, *args, **kwargs):
        pipe = super().pipeline(*args, **kwargs)
        get = pipe.get

        def interfering(key):
            value = get(key)
            Rival.reads += 1
            if Rival.reads == 1:
                r.incr(key)
            return value

        pipe.get = interfering
        return pipe


assert reserve(server.connect(Rival), "mug", 1)
print(Rival.reads, "tries")
