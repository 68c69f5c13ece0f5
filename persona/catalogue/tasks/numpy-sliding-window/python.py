# snippet:doc https://numpy.org/doc/stable/reference/generated/numpy.lib.stride_tricks.sliding_window_view.html sliding_window_view
# snippet:about NumPy
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

volts = np.array([1.0, 2.0, 3.0, 97.0, 2.0, 6.0])  # one spike

windows = sliding_window_view(volts, 3)  # (4, 3): a view, nothing is copied
print(windows.mean(axis=-1).round())
print(np.median(windows, axis=-1).round())

# snippet:usage
# snippet:prints [ 2. 34. 34. 35.]
# snippet:prints [2. 3. 3. 6.]
# snippet:check
assert np.shares_memory(windows, volts)
