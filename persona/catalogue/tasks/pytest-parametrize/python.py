# snippet:doc https://docs.pytest.org/en/stable/how-to/parametrize.html Parametrizing tests
# snippet:about pytest
# snippet:check
# snippet:prints 4 passed, 1 xfailed
# snippet:end
import pytest


def slug(title: str) -> str:
    return "-".join(title.lower().split())


@pytest.mark.parametrize("title, want", [
    ("Hello World", "hello-world"),
    ("  two  spaces ", "two-spaces"),
    ("", ""),
    pytest.param("Tab\tand\nline", "tab-and-line", id="white space of all kinds"),
    pytest.param("C'est la vie", "cest-la-vie", marks=pytest.mark.xfail(reason="apostrophes stay", strict=True)),
])
def test_slug(title, want):
    assert slug(title) == want
