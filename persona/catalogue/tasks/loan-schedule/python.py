# snippet:check
# snippet:doc https://docs.python.org/3/library/decimal.html decimal
# snippet:prints 1 34 1.00 66.50
# snippet:prints 2 34 0.66 33.16
# snippet:prints 3 33.49 0.33 0.00
# snippet:end
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple

CENT = Decimal("0.01")


class Instalment(NamedTuple):
    month: int
    payment: Decimal
    interest: Decimal
    balance: Decimal


def schedule(balance: Decimal, payment: Decimal, monthly_rate: Decimal) -> Iterator[Instalment]:
    """The plan of a loan with a fixed payment; the last one settles what rounding left over."""
    month = 0
    while balance > 0:
        month += 1
        interest = (balance * monthly_rate).quantize(CENT, ROUND_HALF_EVEN)
        if payment <= interest:
            raise ValueError(f"month {month}: the payment does not cover the interest of {interest}")
        payment = min(payment, balance + interest)
        balance += interest - payment
        yield Instalment(month, payment, interest, balance)
# snippet:check


for row in schedule(Decimal("99.50"), Decimal(34), Decimal("0.01")):
    print(*row)
