// snippet:doc https://en.cppreference.com/w/cpp/thread/jthread std::jthread
// snippet:description Run many jobs, as many at a time as the machine has cores. An exception keeps further jobs from being
// snippet:description taken, and reaches the caller.
// snippet:why Jobs that compute and do not depend on each other can use all cores.
// snippet:needs C++20 (GCC 10, LLVM 20)
// snippet:into Compile it with -std=c++20 -pthread.
// snippet:prints 0 1 4 9 16 25
// snippet:prints three is broken
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

/// Calls work(i) for 0..count-1 on all cores. Once an exception is caught no
/// other i is taken, and the first is thrown again here, in the caller's thread.
template <class F>
void parallel_for(std::size_t count, F work) {
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::once_flag first;
    auto worker = [&] {
        try {
            for (std::size_t i; (i = next++) < count;) work(i);
        } catch (...) {
            next = count;
            std::call_once(first, [&] { failure = std::current_exception(); });
        }
    };
    {
        std::vector<std::jthread> threads;
        const auto cores = std::max(1u, std::thread::hardware_concurrency());
        while (threads.size() < cores) threads.emplace_back(worker);
    } // joins all
    if (failure) std::rethrow_exception(failure);
}
// snippet:usage
#include <iostream>
#include <stdexcept>

int main() {
    std::vector<int> squares(6);
    parallel_for(squares.size(), [&](std::size_t i) { squares[i] = static_cast<int>(i * i); });
    for (auto square : squares) std::cout << square << (square == squares.back() ? "\n" : " ");
    try {
        parallel_for(100, [](std::size_t i) { if (i == 3) throw std::runtime_error("three is broken"); });
    } catch (const std::exception& e) {
        std::cout << e.what() << '\n';
    }
}
