// snippet:doc https://en.cppreference.com/w/cpp/chrono/steady_clock std::chrono::steady_clock
// snippet:needs C++17
// snippet:prints 2 0.50
// snippet:prints 17
#include <algorithm>
#include <chrono>
#include <functional>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock; // never jumps, unlike the wall clock

/// Spends real time in equal steps, so that physics does not depend on the frame rate.
class FixedStep {
public:
    static constexpr Clock::duration step = 1'000'000'000ns / 60;

    /// Calls update for every whole step; the result (0 to 1) says how far we
    /// are into the next one: draw between the last two states with it.
    double advance(Clock::duration frame, const std::function<void()>& update) {
        unspent_ += std::min<Clock::duration>(frame, 250ms); // after a pause: skip time
        for (; unspent_ >= step; unspent_ -= step) update();
        return std::chrono::duration<double>(unspent_) / step;
    }

private:
    Clock::duration unspent_{};
};
// snippet:usage
#include <cstdio>

int main() {
    FixedStep loop;
    int steps = 0;
    const double alpha = loop.advance(FixedStep::step * 5 / 2, [&] { ++steps; });
    std::printf("%d %.2f\n", steps, alpha);
    loop.advance(10s, [&] { ++steps; });
    std::printf("%d\n", steps);
}
