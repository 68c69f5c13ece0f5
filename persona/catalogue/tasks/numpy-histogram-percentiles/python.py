# snippet:doc https://numpy.org/doc/stable/reference/generated/numpy.percentile.html numpy.percentile
# snippet:about NumPy
# snippet:needs NumPy 1.22
import numpy as np

ms = np.array([8, 9, 9, 9, 11, 12, 12, 13, 14, 95, 400])

p50, p90, p99 = np.percentile(ms, [50, 90, 99], method="higher")  # values that were measured
print(f"p50 {p50} ms, p90 {p90} ms, p99 {p99} ms")

edges = [0, 10, 20, 80, 500]
counts, _ = np.histogram(ms, bins=edges)
for low, high, count in zip(edges, edges[1:], counts):
    print(f"{low:3} to {high:4} ms {'#' * count}")

# snippet:usage
# snippet:prints p50 12 ms, p90 95 ms, p99 400 ms
# snippet:prints   0 to   10 ms ####
# snippet:prints  10 to   20 ms #####
# snippet:prints  20 to   80 ms
# snippet:prints  80 to  500 ms ##
# snippet:check
assert counts.sum() == ms.size
