# snippet:doc https://docs.pytest.org/en/stable/how-to/assert.html#assertions-about-expected-exceptions Expected exceptions
# snippet:about pytest
# snippet:check
# snippet:prints 6 passed
# snippet:end
import re

import pytest


def parse_port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        raise ValueError(f"port {text!r}: expected a number") from None
    if not 0 < port < 65536:
        raise ValueError(f"port {port}: expected 1 to 65535")
    return port


def test_a_word_is_no_port():
    with pytest.raises(ValueError, match=re.escape("port 'http': expected a number")) as caught:
        parse_port("http")
    assert caught.value.__suppress_context__  # int()'s own message would only confuse


@pytest.mark.parametrize("text", ["-1", "0", "65536"])
def test_ports_have_a_range(text):
    with pytest.raises(ValueError, match=f"port {text}: expected 1 to 65535"):
        parse_port(text)


@pytest.mark.parametrize("text", ["1", "65535"])
def test_both_ends_are_ports(text):
    assert parse_port(text) == int(text)
