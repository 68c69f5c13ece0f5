// snippet:doc https://en.cppreference.com/w/cpp/utility/from_chars std::from_chars
// snippet:needs C++23 (GCC 14, LLVM 18)
// snippet:prints 0 failures
#include <charconv>
#include <optional>
#include <print>
#include <string_view>

std::optional<int> parse_port(std::string_view text) {
    int port = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, port);
    const bool whole = error == std::errc{} && end == last;
    return whole && port >= 1 && port <= 65535 ? std::optional(port) : std::nullopt;
}

int main() {
    constexpr struct { std::string_view name, input; std::optional<int> want; } cases[] = {
        {"smallest", "1", 1},
        {"zero is no port", "0", {}},
        {"too large", "65536", {}},
        {"text after it", "80x", {}},
        {"empty", "", {}},
    };
    int failures = 0;
    for (const auto& [name, input, want] : cases) {
        if (const auto got = parse_port(input); got != want) {
            ++failures;
            std::println("FAIL {}: \"{}\" gave {}", name, input, got.value_or(-1));
        }
    }
    std::println("{} failures", failures);
    return failures == 0 ? 0 : 1;
}
