# snippet:doc https://docs.python.org/3/library/stdtypes.html#dict-views Dictionary views
from typing import Any, NamedTuple


class Changes(NamedTuple):
    added: dict[str, Any]
    removed: dict[str, Any]
    changed: dict[str, tuple[Any, Any]]


def compare(actual: dict[str, Any], desired: dict[str, Any]) -> Changes:
    # The keys of a dict behave like a set: minus and intersection come for free.
    return Changes(
        added={key: desired[key] for key in sorted(desired.keys() - actual.keys())},
        removed={key: actual[key] for key in sorted(actual.keys() - desired.keys())},
        changed={
            key: (actual[key], desired[key])
            for key in sorted(actual.keys() & desired.keys())
            if actual[key] != desired[key]  # 1, 1.0 and True are equal to Python, and NaN not even to itself
        },
    )


running = {"api": "1.4", "worker": "1.4", "cron": "0.9"}
wanted = {"api": "1.5", "worker": "1.4", "mailer": "2.0"}
for kind, entries in compare(running, wanted)._asdict().items():
    print(f"{kind:>8}: {entries}")
# snippet:prints    added: {'mailer': '2.0'}
# snippet:prints  removed: {'cron': '0.9'}
# snippet:prints  changed: {'api': ('1.4', '1.5')}
