# snippet:doc https://numpy.org/doc/stable/user/basics.indexing.html#boolean-array-indexing Boolean indexing
# snippet:about NumPy
# snippet:prints [21.5 22.5]
# snippet:prints mean 22.0 of 2, 1 missing, 1 out of range
import numpy as np

celsius = np.array([21.5, np.nan, 22.5, 850.0])

missing = np.isnan(celsius)
plausible = (celsius > -40) & (celsius < 85)  # & with brackets; "and" does not work on arrays
good = celsius[plausible]

print(good)
print(f"mean {good.mean()} of {good.size}, {missing.sum()} missing, {(~plausible & ~missing).sum()} out of range")
