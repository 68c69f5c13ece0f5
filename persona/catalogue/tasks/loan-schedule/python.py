# snippet:usage
# snippet:doc https://docs.python.org/3/library/decimal.html decimal
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


def schedule(balance: Decimal, monthly_rate: Decimal, months: int) -> Iterator[Instalment]:
    """The plan of a loan with the same payment each month; the last one settles what rounding left over."""
    if monthly_rate:
        payment = balance * monthly_rate / (1 - (1 + monthly_rate) ** -months)
    else:
        payment = balance / months
    payment = payment.quantize(CENT, ROUND_HALF_EVEN)
    for month in range(1, months + 1):
        interest = (balance * monthly_rate).quantize(CENT, ROUND_HALF_EVEN)
        if month == months:
            payment = balance + interest
        balance += interest - payment
        yield Instalment(month, payment, interest, balance)
# snippet:usage
# snippet:prints 1 34.00 1.00 67.00
# snippet:prints 2 34.00 0.67 33.67
# snippet:prints 3 34.01 0.34 0.00


for row in schedule(Decimal("100.00"), Decimal("0.01"), 3):
    print(*row)
# snippet:check
assert [row.payment for row in schedule(Decimal(100), Decimal(0), 3)] == [Decimal("33.33"), Decimal("33.33"), Decimal("33.34")]
