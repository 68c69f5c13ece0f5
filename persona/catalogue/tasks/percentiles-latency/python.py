# snippet:description The median, the 95th and the 99th percentile of measured durations beside their mean, and how much of the
# snippet:description error budget is used: of the requests that may be slower than the target. Between two measurements the
# snippet:description percentiles are interpolated.
# snippet:doc https://docs.python.org/3/library/statistics.html#statistics.quantiles statistics.quantiles
from statistics import fmean, quantiles

latencies_ms = [12, 14, 13, 15, 11, 240, 13, 12, 16, 14, 13, 900, 12, 15, 14, 13, 12, 14, 15, 13]
SLO_MS, SLO_TARGET = 200, 0.95

cuts = quantiles(latencies_ms, n=100, method="inclusive")
p50, p95, p99 = cuts[49], cuts[94], cuts[98]
within = sum(ms <= SLO_MS for ms in latencies_ms) / len(latencies_ms)
# The budget is what the target allows to go wrong; at 100 % it is spent.
budget_used = (1 - within) / (1 - SLO_TARGET)

print(f"mean {fmean(latencies_ms):.0f} ms hides it: p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f}")
print(f"{within:.0%} within {SLO_MS} ms, error budget used: {budget_used:.0%}")
# snippet:prints mean 69 ms hides it: p50 14, p95 273, p99 775
# snippet:prints 90% within 200 ms, error budget used: 200%
