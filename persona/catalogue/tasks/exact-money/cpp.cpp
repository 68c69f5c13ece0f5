// snippet:doc https://en.cppreference.com/w/cpp/language/default_comparisons Default comparisons
// snippet:needs C++20 (GCC 13, LLVM 17)
// snippet:prints 3.34 3.33 3.33 -0.05 true
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <format>
#include <string>
#include <vector>

/// An exact amount in cents. Only signed whole numbers make one: a double does not compile.
class Money {
public:
    static constexpr Money cents(std::signed_integral auto n) { return Money{n}; }
    constexpr auto operator<=>(const Money&) const = default;
    constexpr Money operator+(Money other) const { return Money(cents_ + other.cents_); }

    /// Parts, at least one, that differ by a cent at most and add up to the whole.
    std::vector<Money> split(std::int64_t parts) const {
        const auto each = cents_ / parts, rest = cents_ % parts;
        std::vector<Money> result;
        for (std::int64_t i = 0; i < parts; ++i)
            result.push_back(Money(each + (i < std::abs(rest) ? (rest < 0 ? -1 : 1) : 0)));
        return result;
    }
    std::string str() const {
        return std::format("{}{}.{:02}", cents_ < 0 ? "-" : "", std::abs(cents_ / 100), std::abs(cents_ % 100));
    }
private:
    constexpr explicit Money(std::int64_t n) : cents_(n) {}
    std::int64_t cents_;
};
// snippet:usage
#include <iostream>

template <class T> constexpr bool accepts = requires(T n) { Money::cents(n); };
static_assert(accepts<int> && accepts<long long> && !accepts<double> && !accepts<unsigned long long>);

int main() {
    for (Money part : Money::cents(1000).split(3)) std::cout << std::boolalpha << part.str() << ' ';
    std::cout << Money::cents(-5).str() << ' ' << (Money::cents(1) + Money::cents(2) == Money::cents(3)) << '\n';
}
