# snippet:doc https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.TimerHandle asyncio.TimerHandle
import asyncio
from collections.abc import Callable
from typing import Any


class Debounce:
    """Call `action` once, `wait` seconds after the last of a burst of calls."""

    def __init__(self, action: Callable[..., None], wait: float) -> None:
        self._action, self._wait = action, wait
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, *args: Any) -> None:
        self.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._wait, self._action, *args)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
# snippet:usage


async def main() -> None:
    save = Debounce(lambda text: print("saved:", text), wait=0.05)
    for text in ("d", "dr", "draft"):
        save(text)
    await asyncio.sleep(0.1)


asyncio.run(main())
# snippet:prints saved: draft
