# snippet:doc https://docs.python.org/3/library/datetime.html#datetime-objects datetime objects
# snippet:needs Python 3.11
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from statistics import fmean

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def floor(moment: datetime, size: timedelta) -> datetime:
    moment = moment.astimezone(UTC)  # naive is local; arithmetic in a zone would go by its clocks, and they jump
    return moment - (moment - EPOCH) % size


def buckets(
    readings: Iterable[tuple[datetime, float]], size: timedelta
) -> dict[datetime, float | None]:
    """Mean per bucket of UTC, in order; an empty bucket is None, so that a gap stays visible."""
    gathered: dict[datetime, list[float]] = {}
    for moment, value in readings:
        gathered.setdefault(floor(moment, size), []).append(value)
    result: dict[datetime, float | None] = {}
    if not gathered:
        return result
    slot, last = min(gathered), max(gathered)
    while slot <= last:
        result[slot] = fmean(gathered[slot]) if slot in gathered else None
        slot += size
    return result
# snippet:usage


start = datetime(2025, 3, 5, 10, 2, tzinfo=UTC)
sample = [(start + timedelta(minutes=m), v) for m, v in ((0, 20.0), (2, 21.0), (14, 25.0), (4, 23.5))]
for slot, mean in buckets(sample, timedelta(minutes=5)).items():
    print(f"{slot:%H:%M} {mean}")
# snippet:prints 10:00 20.5
# snippet:prints 10:05 23.5
# snippet:prints 10:10 None
# snippet:prints 10:15 25.0
