# snippet:doc https://docs.python.org/3/library/hashlib.html#hashlib.blake2b hashlib.blake2b
# snippet:title Keep all rows of a group on one side
# snippet:description A hash of the group decides on which side its rows are, so that no patient is both learned from and tested
# snippet:description on. The same group is on the same side in every run, also when rows are added.
# snippet:why A random split would put one patient into both sets and flatter the model.
import hashlib
from collections.abc import Iterable
from typing import TypeVar

Row = TypeVar("Row", bound=dict)


def split_by_group(
    rows: Iterable[Row], group: str, test_share: float = 0.2, salt: str = "v1"
) -> tuple[list[Row], list[Row]]:
    """Send all rows of a group to the same side, the same one in every run.

    A random split would put one patient into both sets and flatter the model.
    """
    train: list[Row] = []
    test: list[Row] = []
    for row in rows:
        digest = hashlib.blake2b(f"{salt}/{row[group]}".encode(), digest_size=8).digest()
        share = int.from_bytes(digest, "big") / 2**64
        (test if share < test_share else train).append(row)
    return train, test


visits = [{"patient": f"p{n % 200}", "visit": n} for n in range(1_000)]
train, test = split_by_group(visits, "patient")
print(len(train), len(test), {r["patient"] for r in train} & {r["patient"] for r in test})
# snippet:prints 750 250 set()
