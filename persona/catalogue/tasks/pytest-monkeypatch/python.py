# snippet:doc https://docs.pytest.org/en/stable/how-to/monkeypatch.html Monkeypatching
# snippet:about pytest
# snippet:check
# snippet:prints 3 passed
# snippet:end
import os

import pytest


def page_size() -> int:
    return min(int(os.environ.get("PAGE_SIZE", "20")), 100)


def test_the_default(monkeypatch):
    monkeypatch.delenv("PAGE_SIZE", raising=False)
    assert page_size() == 20


@pytest.mark.parametrize("value, want", [("50", 50), ("5000", 100)])
def test_the_environment_decides_up_to_a_limit(monkeypatch, value, want):
    monkeypatch.setenv("PAGE_SIZE", value)
    assert page_size() == want
