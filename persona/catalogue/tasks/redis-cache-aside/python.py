# snippet:doc https://redis.io/docs/latest/commands/set/ SET with EX
# snippet:needs Python 3.10
# snippet:about Redis
# snippet:check
# snippet:prints {'name': 'mug'} {'name': 'mug'} None None
# snippet:prints ['p1', 'p2']
# snippet:end
import json
import random
from collections.abc import Callable

import redis


def cached(r: redis.Redis, key: str, load: Callable[[], dict | None], seconds: int = 60) -> dict | None:
    # Only for what JSON keeps as it is: keys are texts, and a tuple would come back as a list.
    if (stored := r.get(key)) is not None:
        return json.loads(stored)
    value = load()
    expiry = seconds if value is not None else seconds // 10  # "not found" is remembered for a shorter time
    r.set(key, json.dumps(value), ex=max(1, round(expiry * random.uniform(0.8, 1.2))))
    return value


# snippet:check
import server
r = server.connect()
asked = []


def load(key):
    asked.append(key)
    return {"name": "mug"} if key == "p1" else None


print(*[cached(r, key, lambda key=key: load(key)) for key in ("p1", "p1", "p2", "p2")])
print(asked)
assert 48 <= r.ttl("p1") <= 72 and r.ttl("p2") <= 8
