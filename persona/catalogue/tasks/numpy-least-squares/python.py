# snippet:doc https://numpy.org/doc/stable/reference/generated/numpy.linalg.lstsq.html numpy.linalg.lstsq
# snippet:about NumPy
# snippet:prints height 1.5 m, speed 10.0 m/s, gravity 9.8 m/s²
import numpy as np

seconds = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
metres = np.array([1.5, 3.304, 4.716, 5.736, 6.364, 6.6])

terms = np.column_stack([np.ones_like(seconds), seconds, seconds**2])
(height, speed, half), _, rank, _ = np.linalg.lstsq(terms, metres, rcond=None)
if rank < terms.shape[1]:
    raise ValueError("the measurements do not determine all coefficients")

print(f"height {height:.1f} m, speed {speed:.1f} m/s, gravity {-2 * half:.1f} m/s²")
