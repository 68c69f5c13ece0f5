# snippet:doc https://redis.io/docs/latest/develop/data-types/streams/ Streams
# snippet:about Redis
# snippet:needs Redis 7, redis-py 4
# snippet:check
# snippet:prints ['a']
# snippet:prints ['a', 'b']
# snippet:prints 0
# snippet:prints 3 ['poison']
# snippet:prints 1 2
# snippet:end
import redis

STREAM, GROUP, ATTEMPTS = "orders", "mailers", 3
# Once, beforehand: r.xgroup_create(STREAM, GROUP, "0", mkstream=True)


def next_messages(r: redis.Redis, worker: str, count: int = 10, idle_ms: int = 60_000):
    # First one that somebody left lying, alone: the next ones are not to count as tried with it. Then what is new.
    for old in r.xpending_range(STREAM, GROUP, "-", "+", 1, idle=idle_ms):
        if claimed := r.xclaim(STREAM, GROUP, worker, idle_ms, [old["message_id"]]):
            return claimed
    found = r.xreadgroup(GROUP, worker, {STREAM: ">"}, count=count, block=1000)
    return found[0][1] if found else []  # of a client with protocol=3 it is a dict


def work(r: redis.Redis, worker: str, handle, **options) -> None:
    for message_id, fields in next_messages(r, worker, **options):
        pending = r.xpending_range(STREAM, GROUP, message_id, message_id, 1, worker)
        if not pending:
            continue  # another worker took it over while this one was at the messages before it
        if pending[0]["times_delivered"] > ATTEMPTS:  # it would kill every worker, one after the other
            r.xadd(f"{STREAM}:failed", fields)
        else:
            handle(fields)
        r.xack(STREAM, GROUP, message_id)  # only now is it done


# snippet:check
import time

import server
r = server.connect(protocol=2)
r.xgroup_create(STREAM, GROUP, mkstream=True)
for name in "ab":
    r.xadd(STREAM, {"name": name})
seen = []


def dies(fields):
    seen.append(fields["name"])
    raise SystemExit


try:
    work(r, "one", dies)
except SystemExit:
    pass
print(seen)
seen.clear()
for _ in range(2):
    work(r, "two", lambda fields: seen.append(fields["name"]), idle_ms=0)
print(seen)
print(r.xpending(STREAM, GROUP)["pending"])
r.xadd(STREAM, {"name": "poison"})
seen.clear()
for _ in range(4):
    try:
        work(r, "three", dies, idle_ms=0)
    except SystemExit:
        pass
print(len(seen), [fields["name"] for _, fields in r.xrange(STREAM + ":failed")])
assert r.xpending(STREAM, GROUP)["pending"] == 0


def picky(fields):
    seen.append(fields["name"])
    if fields["name"] == "poison":
        raise SystemExit


seen.clear()
for name in ("poison", "good"):
    r.xadd(STREAM, {"name": name})
for _ in range(5):
    try:
        work(r, "four", picky, idle_ms=5)
    except SystemExit:
        time.sleep(0.01)
print(seen.count("good"), r.xlen(STREAM + ":failed"))
