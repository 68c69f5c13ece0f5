# snippet:usage
# snippet:doc https://docs.python.org/3/library/decimal.html decimal
# snippet:needs Python 3.10
# snippet:prints (5, Decimal('-33.1530'))
# snippet:prints None
# snippet:end
from decimal import Decimal

LONGEST = 120  # months: ten years are for ever


def runway(cash: Decimal, income: Decimal, spending: Decimal, growth: Decimal) -> tuple[int, Decimal] | None:
    """The first month that ends below zero, counted from 1, and the cash then; None if none does.

    Income and spending are the averages of the last three months. Spending grows by a share each month;
    income stays as it is.
    """
    for month in range(1, LONGEST + 1):
        cash += income - spending
        if cash < 0:
            return month, cash
        spending *= 1 + growth
    return None
# snippet:usage


print(runway(Decimal(100), Decimal(10), Decimal(30), Decimal("0.1")))
print(runway(Decimal(100), Decimal(30), Decimal(30), Decimal(0)))
