# snippet:doc https://redis.io/docs/latest/commands/incr/ INCR
# snippet:about Redis
# snippet:needs Redis 7, redis-py 4.2
# snippet:check
# snippet:prints [True, True, True, False]
# snippet:prints True
# snippet:end
import redis


def allowed(r: redis.Redis, user: str, limit: int = 3, window: int = 60) -> bool:
    key = f"requests:{user}"
    with r.pipeline(transaction=True) as pipe:
        pipe.incr(key)
        pipe.expire(key, window, nx=True)  # only the first request starts the window
        count, _ = pipe.execute()
    return count <= limit


# snippet:check
import server
r = server.connect()
print([allowed(r, "ada") for _ in range(4)])
print(50 < r.ttl("requests:ada") <= 60 and allowed(r, "bob"))
