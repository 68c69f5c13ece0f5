# snippet:doc https://docs.python.org/3/library/asyncio-task.html#task-groups Task groups
# snippet:needs Python 3.11
import asyncio
from collections.abc import Awaitable, Callable, Iterable


async def fetch_all(
    urls: Iterable[str],
    fetch: Callable[[str], Awaitable[str]],
    *,
    limit: int = 8,
    timeout: float = 5.0,
) -> dict[str, str | Exception]:
    """Fetch every URL, at most `limit` at once; one failure does not spoil the rest."""
    results: dict[str, str | Exception] = {url: TimeoutError("not tried") for url in urls}
    waiting = iter(list(results))  # shared by the workers: each URL is taken once

    async def worker() -> None:
        for url in waiting:
            try:
                async with asyncio.timeout(timeout):
                    results[url] = await fetch(url)
            except Exception as error:  # whatever fetch raises; cancelling is none of these
                results[url] = error

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, limit)):
            group.create_task(worker())
    return results
# snippet:check


async def fake_fetch(url: str) -> str:
    await asyncio.sleep(1 if "slow" in url else 0)
    if "down" in url:
        raise ConnectionError("refused")
    return url.upper()


for url, result in asyncio.run(fetch_all(["slow", "a", "down"], fake_fetch, timeout=0.05)).items():
    print(url, repr(result))
# snippet:prints slow TimeoutError()
# snippet:prints a 'A'
# snippet:prints down ConnectionError('refused')
