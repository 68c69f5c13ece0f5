# snippet:doc https://docs.python.org/3/library/datetime.html#date-objects date objects
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

# Dates, here and below: a datetime is equal to none of them.
HOLIDAYS = {date(2025, 4, 18), date(2025, 4, 21), date(2025, 5, 1)}


def working_days(start: date) -> Iterator[date]:
    """The working days after start, without end."""
    day = start
    while True:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in HOLIDAYS:
            yield day


def add_working_days(start: date, count: int) -> date:
    """The last of `count` working days after start; count is 1 or more."""
    return next(islice(working_days(start), count - 1, None))


def working_days_between(start: date, end: date) -> int:
    """From start up to, but without, end."""
    days = (start + timedelta(days=n) for n in range((end - start).days))
    return sum(day.weekday() < 5 and day not in HOLIDAYS for day in days)


print(add_working_days(date(2025, 4, 16), 3))
print(working_days_between(date(2025, 4, 14), date(2025, 5, 5)))
# snippet:prints 2025-04-23
# snippet:prints 12
