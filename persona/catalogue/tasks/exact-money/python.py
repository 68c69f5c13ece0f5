# snippet:doc https://docs.python.org/3/library/decimal.html decimal
from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


def vat(net: Decimal, rate: Decimal) -> Decimal:
    # Banker's rounding: a half goes to the even cent, so that halves do not all go up.
    return (net * rate).quantize(CENT, rounding=ROUND_HALF_EVEN)


def split(total: Decimal, weights: list[int]) -> list[Decimal]:
    """Share cents by weight, one of them positive and none negative, so that the parts add up to the total."""
    if total != total.quantize(CENT):
        raise ValueError(f"{total} has fractions of a cent")
    cents, whole = int(total / CENT), sum(weights)
    shares = [cents * weight // whole for weight in weights]
    entitled = [i for i, weight in enumerate(weights) if weight > 0]
    for i in entitled[: cents - sum(shares)]:
        shares[i] += 1  # the few cents lost by rounding down, one each
    return [share * CENT for share in shares]


parts = split(Decimal("100.00"), [1, 1, 1])
print(*parts, "=", sum(parts))
print(vat(Decimal("19.99"), Decimal("0.19")), 0.1 + 0.2 == 0.3)
# snippet:check
assert split(Decimal("1.00"), [0, 1, 2]) == [Decimal("0.00"), Decimal("0.34"), Decimal("0.66")]
# snippet:end
# snippet:prints 33.34 33.33 33.33 = 100.00
# snippet:prints 3.80 False
