// snippet:doc https://en.cppreference.com/w/cpp/chrono/duration std::chrono::duration
// snippet:needs C++17
// snippet:prints 0.5 false
#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// A steady rate with room for bursts; safe to share between threads.
class TokenBucket {
public:
    TokenBucket(double per_second, double burst, Clock::time_point now)
        : rate_(per_second), burst_(burst), tokens_(burst), updated_(now) {}

    /// Nothing if the call may pass, otherwise about how long to wait.
    std::optional<Clock::duration> take(Clock::time_point now) {
        std::scoped_lock lock(mutex_);
        const double tokens = std::min(burst_, tokens_ + Seconds(now - updated_).count() * rate_);
        if (tokens < 1) return std::chrono::ceil<Clock::duration>(Seconds((1 - tokens) / rate_));
        tokens_ = tokens - 1; // a refusal changes nothing: rounding errors would add up
        updated_ = now;
        return std::nullopt;
    }

private:
    std::mutex mutex_;
    double rate_, burst_, tokens_;
    Clock::time_point updated_;
};
// snippet:usage
#include <iostream>

int main() {
    using namespace std::chrono_literals;
    const Clock::time_point start{};
    TokenBucket bucket(2, 2, start);
    bucket.take(start);
    bucket.take(start);
    const auto wait = bucket.take(start);
    std::cout << std::boolalpha << Seconds(wait.value()).count() << ' '
              << bucket.take(start + 500ms).has_value() << '\n';
}
