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
) -> dict[str, str | BaseException]:
    """Fetch every URL, at most `limit` at once; one failure does not spoil the rest."""
    results: dict[str, str | BaseException] = {url: TimeoutError("not tried") for url in urls}
    waiting = iter(list(results))  # shared by the workers: each URL is taken once

    async def worker() -> None:
        for url in waiting:
            try:
                async with asyncio.timeout(timeout):
                    results[url] = await fetch(url)
            except (Exception, asyncio.CancelledError) as error:
                if asyncio.current_task().cancelling():
                    raise  # who called this gave up: that is no failure of fetch
                results[url] = error

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, limit)):
            group.create_task(worker())
    return results
# snippet:usage
# snippet:prints slow TimeoutError()
# snippet:prints a 'A'
# snippet:prints down ConnectionError('refused')


async def fake_fetch(url: str) -> str:
    await asyncio.sleep(1 if "slow" in url else 0)
    if "down" in url:
        raise ConnectionError("refused")
    return url.upper()


for url, result in asyncio.run(fetch_all(["slow", "a", "down"], fake_fetch, timeout=0.05)).items():
    print(url, repr(result))
# snippet:check


async def failing_cleanup(url: str) -> str:
    tried.append(url)
    try:
        await asyncio.sleep(1)
    finally:
        raise ConnectionError(url)


async def give_up() -> None:
    try:
        async with asyncio.timeout(0.02):
            await fetch_all("abc", failing_cleanup, limit=1)
    except* (TimeoutError, ConnectionError):
        pass


async def cancelled(url: str) -> str:
    if url == "a":
        raise asyncio.CancelledError
    return url


tried: list[str] = []
asyncio.run(give_up())
assert tried == ["a"], tried
assert asyncio.run(fetch_all("ab", cancelled, limit=1))["b"] == "b"
