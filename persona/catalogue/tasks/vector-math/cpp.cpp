// snippet:doc https://en.cppreference.com/w/cpp/numeric/math/hypot std::hypot
// snippet:needs C++20
// snippet:prints 5 false 1
#include <cmath>
#include <optional>

struct Vec2 {
    double x = 0, y = 0;

    constexpr Vec2 operator+(Vec2 o) const { return {x + o.x, y + o.y}; }
    constexpr Vec2 operator-(Vec2 o) const { return {x - o.x, y - o.y}; }
    constexpr Vec2 operator*(double f) const { return {x * f, y * f}; }
    constexpr bool operator==(const Vec2&) const = default;
};

constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
inline double length(Vec2 v) { return std::hypot(v.x, v.y); } // no overflow on the way

/// Nothing for a vector without a direction: zero or as good as zero, or of no finite length.
inline std::optional<Vec2> normalized(Vec2 v) {
    const double l = length(v);
    return l > 1e-12 && std::isfinite(l) ? std::optional(v * (1 / l)) : std::nullopt;
}

/// The nearest point to p on the segment from a to b.
constexpr Vec2 closest_on_segment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 ab = b - a;
    const double squared = dot(ab, ab);
    const double t = squared > 0 ? dot(p - a, ab) / squared : 0;
    return a + ab * (t < 0 ? 0 : t > 1 ? 1 : t);
}

static_assert(closest_on_segment({5, 3}, {0, 0}, {4, 0}) == Vec2{4, 0});
// snippet:usage
#include <iostream>

int main() {
    std::cout << std::boolalpha << length({3, 4}) << ' '
              << normalized({}).has_value() << ' ' << normalized({0, 5})->y << '\n';
}
