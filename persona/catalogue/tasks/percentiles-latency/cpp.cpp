// snippet:doc https://en.cppreference.com/w/cpp/algorithm/ranges/nth_element std::ranges::nth_element
// snippet:needs C++20
// snippet:prints p50=1000µs p95=1900µs p99=1980µs p100=2000µs false
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>

using Micros = std::chrono::microseconds;

/// Nearest-rank percentile, in linear time on average; reorders the samples.
/// Nothing for an empty span.
std::optional<Micros> percentile(std::span<Micros> samples, double percent) {
    if (samples.empty()) return std::nullopt;
    const auto size = static_cast<double>(samples.size());
    // 99.9 * 41000 / 100 is above 40959.
    const auto rank = std::clamp(std::ceil(percent * size / 100 - 1e-7), 1.0, size);
    const auto nth = samples.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::ranges::nth_element(samples, nth);
    return *nth;
}
// snippet:check
#include <print>
#include <vector>

int main() {
    std::vector<Micros> samples;
    for (int i = 200; i > 0; --i) samples.emplace_back(i * 10);
    for (double p : {50.0, 95.0, 99.0, 100.0}) std::print("p{}={} ", p, *percentile(samples, p));
    std::println("{}", percentile({}, 50).has_value());
    std::vector<Micros> many;
    for (int i = 1; i <= 41000; ++i) many.emplace_back(i);
    if (percentile(many, 99.9) != Micros{40959}) return 1;
}
