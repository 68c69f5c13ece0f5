# snippet:doc https://docs.pytest.org/en/stable/reference/reference.html#pytest-approx pytest.approx
# snippet:about pytest
# snippet:check
# snippet:prints 3 passed
# snippet:end
import math

from pytest import approx


def test_sums_are_close():
    assert 0.1 + 0.2 != 0.3
    assert 0.1 + 0.2 == approx(0.3)


def test_near_zero_an_absolute_tolerance_is_needed():
    assert math.sin(math.pi) != approx(0, rel=1e-6, abs=0)
    assert math.sin(math.pi) == approx(0, abs=1e-9)


def test_each_number_of_a_list_or_dictionary():
    assert [4.9999999, 3.3000001] == approx([5, 3.3])
    assert {"volt": 3.3000001, "ampere": 0.5} == approx({"volt": 3.3, "ampere": 0.5})
