# snippet:doc https://docs.python.org/3/library/zoneinfo.html zoneinfo
# snippet:description Keep the instant in UTC with the zone's name beside it, convert only for people's eyes, and see what happens
# snippet:description in the night when the clocks change. The zone's name knows when its clocks change; a fixed offset does not.
# snippet:needs Python 3.11
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo  # Windows has no such data: pip install tzdata

# Store instants in UTC, keep the zone's name, convert only for people's eyes.
starts = datetime(2025, 3, 29, 17, 30, tzinfo=ZoneInfo("Europe/Berlin"))
instant = starts.astimezone(UTC)

for city in ("America/New_York", "Europe/Berlin", "Asia/Kolkata"):
    print(f"{city:<17} {instant.astimezone(ZoneInfo(city)):%a %H:%M %Z}")

# The clocks change that night: "same time tomorrow" and "in 24 hours" differ.
tomorrow = starts + timedelta(days=1)
in_24_hours = (instant + timedelta(hours=24)).astimezone(starts.tzinfo)
print(f"{tomorrow:%H:%M} {in_24_hours:%H:%M}")
# snippet:prints America/New_York  Sat 12:30 EDT
# snippet:prints Europe/Berlin     Sat 17:30 CET
# snippet:prints Asia/Kolkata      Sat 22:00 IST
# snippet:prints 17:30 18:30
