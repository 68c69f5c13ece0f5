# snippet:doc https://numpy.org/doc/stable/user/basics.copies.html Copies and views
# snippet:about NumPy
# snippet:prints [ 1 20  3  4]
# snippet:prints [ 1 20  3  4]
# snippet:prints True False
import numpy as np

raw = np.array([1, 2, 3, 4])

view = raw[1:3]
view *= np.array([10, 1])  # writes into raw
print(raw)

picked = raw[[0, 3]]  # a list of positions: a copy
picked[:] = 0
safe = raw[1:3].copy()
safe[:] = 0
print(raw)
print(np.shares_memory(raw, view), np.shares_memory(raw, picked))
