// snippet:doc https://en.cppreference.com/w/cpp/algorithm/clamp std::clamp
// snippet:needs C++17
// snippet:description Decide whether a ball hits a box: the nearest point of the box is the centre, clamped to its sides. The
// snippet:description result is the direction in which to push the ball, and how far.
// snippet:title Does a ball hit a box?
// snippet:why A ball, a bullet or a light against a wall, a paddle or a crate.
// snippet:prints 0 1 0.5
// snippet:prints false 2
#include <algorithm>
#include <cmath>
#include <optional>

struct Box { float left, top, right, bottom; };
struct Ball { float x, y, radius; };
struct Hit { float nx, ny, depth; }; // which way to push the ball, and how far

/// Circle against rectangle: clamp the centre into the box, and compare the
/// distance to that point with the radius.
std::optional<Hit> collide(const Ball& ball, const Box& box) {
    const float px = std::clamp(ball.x, box.left, box.right);
    const float py = std::clamp(ball.y, box.top, box.bottom);
    const float dx = ball.x - px, dy = ball.y - py;
    const float distance = std::hypot(dx, dy);

    if (distance >= ball.radius) return std::nullopt;
    if (distance > 0) return Hit{dx / distance, dy / distance, ball.radius - distance};
    return Hit{0, -1, ball.y - box.top + ball.radius}; // centre inside: push it up
}
// snippet:usage
#include <cmath>
#include <iostream>

int main() {
    const Box wall{0, 0, 10, 2};
    const auto hit = collide({5, 3, 1.5f}, wall);
    std::cout << std::boolalpha << hit->nx << ' ' << hit->ny << ' ' << hit->depth << '\n';
    std::cout << collide({5, 9, 1}, wall).has_value() << ' ' << collide({5, 1, 1}, wall)->depth << '\n';
}
