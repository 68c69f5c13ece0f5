// snippet:doc https://en.cppreference.com/w/cpp/numeric/lerp std::lerp
// snippet:needs C++20
// snippet:prints 0 15.625 50 100
// snippet:prints 4 6
// snippet:prints 0.875
#include <algorithm>
#include <chrono>
#include <cmath>

using Seconds = std::chrono::duration<double>;

constexpr double ease_in_out(double t) { return t * t * (3 - 2 * t); } // smoothstep
constexpr double ease_out(double t) { return 1 - (1 - t) * (1 - t) * (1 - t); }

/// A value that moves from one number to another; ask it with the time passed.
struct Tween {
    double from, to;
    Seconds duration;
    double (*ease)(double) = ease_in_out;

    double at(Seconds elapsed) const {
        const double t = duration.count() > 0 ? elapsed / duration : 1;
        return std::lerp(from, to, ease(std::clamp(t, 0.0, 1.0)));
    }
};

/// Goes towards a target, equally fast at every frame rate: after one
/// half-life, which is above zero, half of the way is left.
double damp(double current, double target, Seconds half_life, Seconds frame) {
    return std::lerp(target, current, std::exp2(-(frame / half_life)));
}
// snippet:usage
#include <iostream>

int main() {
    using namespace std::chrono_literals;
    const Tween slide{.from = 0, .to = 100, .duration = 2s};
    std::cout << slide.at(-1s) << ' ' << slide.at(500ms) << ' ' << slide.at(1s) << ' ' << slide.at(9s) << '\n';
    std::cout << damp(0, 8, 1s, 1s) << ' ' << damp(damp(0, 8, 1s, 1s), 8, 1s, 1s) << '\n';
    std::cout << Tween{0, 1, 1s, ease_out}.at(500ms) << '\n';
}
