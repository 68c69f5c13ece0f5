# snippet:doc https://docs.python.org/3/library/math.html#math.hypot math.hypot
import math
from typing import NamedTuple


class Vec2(NamedTuple):
    x: float
    y: float

    def __add__(self, other: "Vec2") -> "Vec2":  # type: ignore[override]
        return Vec2(self.x + other.x, self.y + other.y)

    def __mul__(self, scale: float) -> "Vec2":  # type: ignore[override]
        return Vec2(self.x * scale, self.y * scale)

    def dot(self, other: "Vec2") -> float:
        return self.x * other.x + self.y * other.y

    def unit(self) -> "Vec2":
        length = math.hypot(*self)
        return self * (1 / length) if length else self  # the zero vector has no direction

    def reflect(self, normal: "Vec2") -> "Vec2":
        """Bounce off a surface with this unit normal."""
        return self + normal * (-2 * self.dot(normal))


ball = Vec2(3.0, -4.0)
print(ball.unit(), ball.reflect(Vec2(0.0, 1.0)))
# snippet:prints Vec2(x=0.6000000000000001, y=-0.8) Vec2(x=3.0, y=4.0)
