# snippet:doc https://docs.python.org/3/library/math.html#math.hypot math.hypot
import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vec2:
    x: float
    y: float

    def __add__(self, other: "Vec2") -> "Vec2":
        return Vec2(self.x + other.x, self.y + other.y)

    def __mul__(self, scale: float) -> "Vec2":
        return Vec2(self.x * scale, self.y * scale)

    def dot(self, other: "Vec2") -> float:
        return self.x * other.x + self.y * other.y

    def unit(self) -> "Vec2":
        # The zero vector has no direction, and stays as it is.
        length = math.hypot(self.x, self.y) or 1
        return Vec2(self.x / length, self.y / length)

    def reflect(self, normal: "Vec2") -> "Vec2":
        """Bounce off a surface with this unit normal."""
        return self + normal * (-2 * self.dot(normal))


ball = Vec2(3.0, -4.0)
print(ball.unit(), ball.reflect(Vec2(0.0, 1.0)))
# snippet:prints Vec2(x=0.6, y=-0.8) Vec2(x=3.0, y=4.0)
