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
    slots = asyncio.Semaphore(limit)
    results: dict[str, str | Exception] = {}

    async def one(url: str) -> None:
        async with slots:
            try:
                async with asyncio.timeout(timeout):
                    results[url] = await fetch(url)
            except (OSError, TimeoutError) as error:
                results[url] = error

    async with asyncio.TaskGroup() as group:
        for url in urls:
            group.create_task(one(url))
    return results
# snippet:check


async def fake_fetch(url: str) -> str:
    await asyncio.sleep(1 if "slow" in url else 0)
    if "down" in url:
        raise ConnectionError("refused")
    return url.upper()


for url, result in sorted(asyncio.run(fetch_all(["a", "slow", "down"], fake_fetch, timeout=0.05)).items()):
    print(url, repr(result))
# snippet:prints a 'A'
# snippet:prints down ConnectionError('refused')
# snippet:prints slow TimeoutError()
