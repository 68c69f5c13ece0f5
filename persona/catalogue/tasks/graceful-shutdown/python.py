# snippet:doc https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.loop.add_signal_handler loop.add_signal_handler
# snippet:needs Python 3.11
import asyncio
import logging
import signal


async def worker(queue: asyncio.Queue[str]) -> None:
    while True:
        job = await queue.get()
        try:
            print("done", job)
        except Exception:
            logging.exception("%s failed", job)  # and go on: others wait behind it
        finally:
            queue.task_done()


async def main(queue: asyncio.Queue[str]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sig in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sig, stop.set)

    task = asyncio.create_task(worker(queue))
    await stop.wait()  # from now on nobody may put anything into the queue
    try:
        # An orchestrator kills after its grace period: finish well before that.
        async with asyncio.timeout(10):
            await queue.join()
    finally:
        task.cancel()
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
