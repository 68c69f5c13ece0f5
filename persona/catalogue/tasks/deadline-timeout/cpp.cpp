// snippet:doc https://en.cppreference.com/w/cpp/thread/packaged_task std::packaged_task
// snippet:description Give a task that returns a value a time limit and a `std::stop_token`. At the limit it is asked to stop, and
// snippet:description the caller waits until it has seen that; a timeout is an empty `std::optional`, and what the task throws in time is thrown on.
// snippet:why Work that looks at its token ends soon after the limit.
// snippet:needs C++20 (GCC 10, LLVM 20)
// snippet:into Compile it with -std=c++20 -pthread.
#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

/// Gives a task until the deadline. It gets a stop_token and must look at it:
/// a thread can be asked to end, never forced. What the task throws in time is thrown here.
template <class F>
auto run_with_deadline(std::chrono::milliseconds limit, F task)
    -> std::optional<std::invoke_result_t<F, std::stop_token>> {
    using Result = std::invoke_result_t<F, std::stop_token>;
    std::packaged_task<Result(std::stop_token)> job(std::move(task));
    auto result = job.get_future();
    std::jthread worker(std::move(job));
    if (result.wait_for(limit) == std::future_status::ready) return result.get();
    worker.request_stop(); // the destructor waits until the task has seen it
    return std::nullopt;
}
// snippet:usage
#include <iostream>

int main() {
    using namespace std::chrono_literals;
    auto quick = run_with_deadline(1s, [](std::stop_token) { return 42; });
    auto slow = run_with_deadline(30ms, [](std::stop_token stop) {
        while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return 1;
    });
    std::cout << *quick << ' ' << slow.has_value() << '\n';
    // snippet:check
    try {
        run_with_deadline(1s, [](std::stop_token) -> int { throw std::string("broken"); });
    } catch (const std::string& e) {
        std::cout << e << '\n';
    }
    // snippet:usage
}
// snippet:prints 42 0
// snippet:check
// snippet:prints broken
