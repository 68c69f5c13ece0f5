# snippet:check
# snippet:doc https://docs.python.org/3/library/math.html math
# snippet:prints nan
# snippet:prints 343.6 20015.1
# snippet:end
from math import asin, cos, radians, sin, sqrt
from typing import NamedTuple

EARTH_RADIUS_KM = 6371.0088  # the mean radius: (2 * equatorial + polar) / 3


class Place(NamedTuple):
    latitude: float
    longitude: float


def distance(a: Place, b: Place) -> float:
    """The way over the ground in km. The Earth counts as a sphere: right to about half a percent."""
    northward = radians(b.latitude - a.latitude)
    eastward = radians(b.longitude - a.longitude)
    h = sin(northward / 2) ** 2 + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sin(eastward / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(h, 1.0)))  # rounding may go beyond 1 for opposite places
# snippet:check


print(distance(Place(float("nan"), 0), Place(0, 0)))
print(round(distance(Place(51.5074, -0.1278), Place(48.8566, 2.3522)), 1), round(distance(Place(0, 0), Place(0, 180)), 1))
