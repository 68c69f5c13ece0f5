# snippet:doc https://docs.python.org/3/library/math.html math
import math
from collections.abc import Callable

State = tuple[float, float]  # angle in rad, angular velocity in rad/s


def rk4(f: Callable[[State], State], s: State, dt: float) -> State:
    """One step of the classical Runge-Kutta method: error of order dt**5 a step."""

    def along(slope: State, h: float) -> State:
        return s[0] + h * slope[0], s[1] + h * slope[1]

    k1 = f(s)
    k2 = f(along(k1, dt / 2))
    k3 = f(along(k2, dt / 2))
    k4 = f(along(k3, dt))
    mean = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(k1, k2, k3, k4, strict=True)]
    return along((mean[0], mean[1]), dt)


def pendulum(s: State, g: float = 9.81, length: float = 1.0) -> State:
    return s[1], -g / length * math.sin(s[0])


state = (math.radians(30), 0.0)
for step in range(1, 201):
    state = rk4(pendulum, state, 0.01)
    if step % 50 == 0:
        print(f"{step * 0.01:.1f} s  {math.degrees(state[0]):7.2f}°")
# snippet:prints 0.5 s     0.95°
# snippet:prints 1.0 s   -29.94°
# snippet:prints 1.5 s    -2.85°
# snippet:prints 2.0 s    29.76°
