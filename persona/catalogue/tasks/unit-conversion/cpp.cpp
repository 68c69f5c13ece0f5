// snippet:doc https://en.cppreference.com/w/cpp/language/user_literal User-defined literals
// snippet:prints 5.548 0.0055 true
#include <ratio>

/// Lengths like std::chrono durations: the unit is part of the type, and a
/// conversion that would lose the unit does not compile.
template <class Unit>
struct Length {
    double value;

    constexpr explicit Length(double v) : value(v) {}
    template <class Other>
    constexpr Length(Length<Other> other)
        : value(other.value * Factor<Other>::num / Factor<Other>::den) {}

    friend constexpr Length operator+(Length a, Length b) { return Length(a.value + b.value); }
    friend constexpr bool operator<(Length a, Length b) { return a.value < b.value; }
private:
    template <class Other> using Factor = std::ratio_divide<Other, Unit>;
};

using Metres = Length<std::ratio<1>>;
using Kilometres = Length<std::kilo>;
using Feet = Length<std::ratio<3048, 10000>>; // exact by definition

constexpr Metres operator""_m(long double v) { return Metres(static_cast<double>(v)); }
constexpr Feet operator""_ft(long double v) { return Feet(static_cast<double>(v)); }

static_assert(Metres(1000.0_ft).value == 304.8);
// snippet:usage
#include <cstdio>

int main() {
    const Metres sum = 2.5_m + Metres(10.0_ft);
    std::printf("%.3f %.4f %s\n", sum.value, Kilometres(sum).value, 1.0_m < Metres(4.0_ft) ? "true" : "false");
}
