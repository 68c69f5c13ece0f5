# snippet:doc https://docs.pytest.org/en/stable/how-to/fixtures.html#factories-as-fixtures Factories as fixtures
# snippet:about pytest
# snippet:check
# snippet:prints 2 passed
# snippet:end
from dataclasses import dataclass
from itertools import count

import pytest


@dataclass
class User:
    id: int
    name: str
    admin: bool = False


def may_delete(actor: User, target: User) -> bool:
    return actor.admin and actor.id != target.id


@pytest.fixture
def make_user():
    numbers = count(1)
    return lambda **wanted: User(**{"id": (n := next(numbers)), "name": f"user{n}"} | wanted)


def test_admins_delete_others(make_user):
    assert may_delete(make_user(admin=True), make_user())


def test_nobody_deletes_themselves(make_user):
    admin = make_user(admin=True)
    assert not may_delete(admin, admin)
