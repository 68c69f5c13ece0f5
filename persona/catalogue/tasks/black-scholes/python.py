# snippet:check
# snippet:doc https://docs.python.org/3/library/statistics.html#statistics.NormalDist statistics.NormalDist
# snippet:prints 10.4506 5.5735 0.6368
# snippet:prints 0.2
# snippet:end
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist

cumulative = NormalDist().cdf


@dataclass(frozen=True)
class Option:
    """A European option on a share without dividends; rate and volatility are per year, time is in years."""

    spot: float  # positive, as the strike
    strike: float
    rate: float
    volatility: float
    time: float

    def _d1(self) -> float:
        if self.time == 0 or self.volatility == 0:  # nothing is left to chance
            return inf if self.spot > self.strike * exp(-self.rate * self.time) else -inf
        drift = (self.rate + self.volatility**2 / 2) * self.time
        return (log(self.spot / self.strike) + drift) / (self.volatility * sqrt(self.time))

    def call(self) -> float:
        d1 = self._d1()
        discounted = self.strike * exp(-self.rate * self.time)
        return self.spot * cumulative(d1) - discounted * cumulative(d1 - self.volatility * sqrt(self.time))

    def put(self) -> float:  # parity: a call less a put is the share less the discounted strike
        return self.call() - self.spot + self.strike * exp(-self.rate * self.time)

    def delta(self) -> float:
        return cumulative(self._d1())
# snippet:check


from dataclasses import replace  # noqa: E402

option = Option(100, 100, 0.05, 0.2, 1)
print(round(option.call(), 4), round(option.put(), 4), round(option.delta(), 4))
low, high = 0.01, 2.0
for _ in range(60):
    middle = (low + high) / 2
    low, high = (low, middle) if replace(option, volatility=middle).call() > 10.450584 else (middle, high)
print(round(low, 4))
assert replace(option, time=0, spot=90).call() == 0 == replace(option, time=0, spot=90).delta()
assert replace(option, time=0, spot=110).call() == 10 and replace(option, rate=0, volatility=0, spot=110).delta() == 1
