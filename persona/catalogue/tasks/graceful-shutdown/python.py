# snippet:doc https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.loop.add_signal_handler loop.add_signal_handler
# snippet:needs Python 3.11
import asyncio
import signal


async def worker(queue: asyncio.Queue[str], stop: asyncio.Event) -> None:
    while not (stop.is_set() and queue.empty()):
        try:
            job = await asyncio.wait_for(queue.get(), timeout=0.1)
        except TimeoutError:
            continue
        print("done", job)


async def main(queue: asyncio.Queue[str]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sig in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sig, stop.set)

    async with asyncio.timeout(None) as deadline:
        task = asyncio.create_task(worker(queue, stop))
        await stop.wait()
        # An orchestrator kills after its grace period: finish well before that.
        deadline.reschedule(loop.time() + 10)
        await task
# snippet:check


import os

jobs: asyncio.Queue[str] = asyncio.Queue()
for name in ("invoice", "email"):
    jobs.put_nowait(name)


async def scenario() -> None:
    asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), signal.SIGTERM)
    await main(jobs)
    print("clean exit")


asyncio.run(scenario())
# snippet:prints done invoice
# snippet:prints done email
# snippet:prints clean exit
