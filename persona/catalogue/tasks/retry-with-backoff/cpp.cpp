// snippet:doc https://en.cppreference.com/w/cpp/thread/sleep_for std::this_thread::sleep_for
// snippet:needs C++23 (GCC 12, LLVM 16)
// snippet:prints 42 after 3
// snippet:prints down
#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
#include <random>
#include <thread>
#include <type_traits>

using namespace std::chrono_literals;

/// Calls an operation that returns std::expected until it has a value, at most
/// `attempts` times (but once at least), and waits a random part of a doubling delay in between.
template <std::invocable F>
auto retry(int attempts, std::chrono::milliseconds base, F operation) -> std::invoke_result_t<F> {
    static thread_local std::minstd_rand random{std::random_device{}()};
    for (int attempt = 1;; ++attempt) {
        auto result = std::invoke(operation);
        if (result.has_value() || attempt >= attempts) {
            return result;
        }
        std::uniform_int_distribution<std::chrono::milliseconds::rep> jitter(0, base.count() << std::min(attempt, 10));
        std::this_thread::sleep_for(std::chrono::milliseconds{jitter(random)});
    }
}
// snippet:usage
#include <expected>
#include <iostream>
#include <string>

int main() {
    int calls = 0;
    auto result = retry(5, 1ms, [&]() -> std::expected<int, std::string> {
        if (++calls < 3) return std::unexpected("busy");
        return 42;
    });
    std::cout << *result << " after " << calls << '\n';
    auto failed = retry(2, 1ms, []() -> std::expected<int, std::string> { return std::unexpected("down"); });
    std::cout << failed.error() << '\n';
}
