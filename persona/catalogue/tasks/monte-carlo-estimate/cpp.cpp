// snippet:doc https://en.cppreference.com/w/cpp/numeric/random C++ random numbers
// snippet:needs C++17
// snippet:prints 0.13 true
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

struct Estimate { double value, error; }; // error: one standard deviation; 0 if all or none hit

/// The chance that the best three of four dice sum to at least `target`.
Estimate chance_of(int target, int rolls, std::uint64_t seed) {
    std::mt19937_64 random(seed); // a fixed seed: with this library the same answer tomorrow
    std::uniform_int_distribution die(1, 6);
    int hits = 0;
    for (int i = 0; i < rolls; ++i) {
        int sum = 0, lowest = 6;
        for (int n = 0; n < 4; ++n) {
            const int face = die(random);
            sum += face;
            lowest = std::min(lowest, face);
        }
        hits += sum - lowest >= target;
    }
    const double p = static_cast<double>(hits) / rolls;
    return {p, std::sqrt(p * (1 - p) / rolls)};
}
// snippet:usage
#include <cstdio>

int main() {
    const auto [value, error] = chance_of(16, 200000, 1);
    std::printf("%.2f %s\n", value, std::abs(value - 169.0 / 1296) < 4 * error ? "true" : "false");
}
