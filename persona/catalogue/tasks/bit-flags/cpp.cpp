// snippet:doc https://en.cppreference.com/w/cpp/utility/to_underlying std::to_underlying
// snippet:title Type-safe flags from an enumeration
// snippet:description Make an `enum class` a set of flags: combine, intersect, remove and test them. Only enumerations that opt in
// snippet:description get the operators, so other types cannot be mixed in.
// snippet:why Flags of one kind cannot be mixed with those of another: the compiler refuses.
// snippet:needs C++23
// snippet:prints true 2
#include <cstdint>
#include <type_traits>
#include <utility>

enum class Access : std::uint8_t { none = 0, read = 1 << 0, write = 1 << 1, share = 1 << 2 };

/// Opt in per enumeration: only those marked here are sets of flags.
template <class E> inline constexpr bool is_flags = false;
template <> inline constexpr bool is_flags<Access> = true;

template <class E> concept Flags = std::is_enum_v<E> && is_flags<E>;

template <Flags E> constexpr E operator|(E a, E b) {
    return static_cast<E>(std::to_underlying(a) | std::to_underlying(b));
}
template <Flags E> constexpr E operator&(E a, E b) {
    return static_cast<E>(std::to_underlying(a) & std::to_underlying(b));
}
template <Flags E> constexpr E without(E set, E flag) {
    return static_cast<E>(std::to_underlying(set) & ~std::to_underlying(flag));
}
template <Flags E> constexpr bool has(E set, E flag) {
    return (set & flag) == flag;
}

static_assert(has(Access::read | Access::share, Access::share));
// snippet:check
#include <print>

int main() {
    const auto a = without(Access::read | Access::write, Access::read);
    std::println("{} {}", has(a, Access::write), std::to_underlying(a));
}
