# snippet:doc https://numpy.org/doc/stable/user/basics.broadcasting.html Broadcasting
# snippet:about NumPy
import numpy as np

points = np.array([[0.0, 0.0], [8.0, 6.0]])
stations = np.array([[3.0, 4.0], [8.0, 6.0]])

# (2, 1, 2) - (1, 2, 2): every point with every station.
difference = points[:, np.newaxis, :] - stations[np.newaxis, :, :]
distance = np.hypot(difference[..., 0], difference[..., 1])

print(distance.round())
print(distance.argmin(axis=1))  # the nearest station of each point

# snippet:usage
# snippet:prints [[ 5. 10.]
# snippet:prints  [ 5.  0.]]
# snippet:prints [0 1]
# snippet:check
for i, p in enumerate(points):
    for j, s in enumerate(stations):
        assert abs(distance[i, j] - ((p - s) ** 2).sum() ** 0.5) < 1e-12
