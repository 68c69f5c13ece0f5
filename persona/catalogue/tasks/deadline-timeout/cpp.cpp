// snippet:doc https://en.cppreference.com/w/cpp/thread/stop_token std::stop_token
// snippet:prints 42 false
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

/// Gives a task until the deadline. It gets a stop_token and must look at it:
/// a thread can be asked to end, never forced.
template <class F>
auto run_with_deadline(std::chrono::milliseconds limit, F task)
    -> std::optional<std::invoke_result_t<F, std::stop_token>> {
    std::mutex mutex;
    std::condition_variable done;
    std::optional<std::invoke_result_t<F, std::stop_token>> result;

    std::jthread worker([&](std::stop_token stop) {
        auto value = task(stop);
        std::scoped_lock lock(mutex);
        if (!stop.stop_requested()) result = std::move(value);
        done.notify_one();
    });
    std::unique_lock lock(mutex);
    done.wait_for(lock, limit, [&] { return result.has_value(); });
    worker.request_stop(); // no effect on a finished one; the destructor joins
    return std::move(result);
}
// snippet:check
#include <print>

using namespace std::chrono_literals;

int main() {
    auto quick = run_with_deadline(1s, [](std::stop_token) { return 42; });
    auto slow = run_with_deadline(30ms, [](std::stop_token stop) {
        while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return 1;
    });
    std::println("{} {}", *quick, slow.has_value());
}
