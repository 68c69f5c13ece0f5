# snippet:doc https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/ Distributed locks
# snippet:about Redis
# snippet:check
# snippet:prints taken by someone else
# snippet:prints the work took longer than the lock lives
# snippet:prints True
# snippet:end
import secrets
from contextlib import contextmanager

import redis

RELEASE = """
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0
"""


class Locked(Exception):
    pass


class Expired(Exception):
    pass


@contextmanager
def lock(r: redis.Redis, name: str, milliseconds: int = 30_000):
    key, owner = f"lock:{name}", secrets.token_hex(16)
    if not r.set(key, owner, nx=True, px=milliseconds):
        raise Locked("taken by someone else")
    try:
        yield
    finally:
        released = r.eval(RELEASE, 1, key, owner)  # compare and delete in one step
    if not released:  # somebody else may have worked at the same time
        raise Expired("the work took longer than the lock lives")


# snippet:check
import time
import server
r = server.connect()
try:
    with lock(r, "report"):
        with lock(r, "report"):
            raise AssertionError("taken twice")
except Locked as error:
    print(error)
try:
    with lock(r, "report", 20):
        time.sleep(0.05)  # too slow: it has expired
        r.set("lock:report", "the next owner")
except Expired as error:
    print(error)
print(r.get("lock:report") == "the next owner")
