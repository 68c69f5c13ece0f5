// snippet:doc https://en.cppreference.com/w/cpp/chrono/time_point/floor std::chrono::floor
// snippet:needs C++20 (GCC 13, LLVM 17)
// snippet:prints 00:00 2 6
// snippet:prints 00:01 0 0
// snippet:prints 00:02 1 7
#include <chrono>
#include <map>
#include <span>

using Time = std::chrono::sys_seconds;
struct Reading { Time at; double value; };
struct Bucket { int count = 0; double sum = 0; };

/// Count and sum per minute, hour or day: the interval is a type of <chrono>.
/// Intervals without readings are there as well, with count 0.
template <class Interval>
std::map<std::chrono::sys_time<Interval>, Bucket> buckets(std::span<const Reading> readings) {
    std::map<std::chrono::sys_time<Interval>, Bucket> result;
    for (const auto& [at, value] : readings) {
        auto& bucket = result[std::chrono::floor<Interval>(at)];
        ++bucket.count;
        bucket.sum += value;
    }
    if (!result.empty())
        for (auto t = result.begin()->first; t < result.rbegin()->first; t += Interval{1})
            result.try_emplace(t);
    return result;
}
// snippet:usage
#include <format>
#include <iostream>

int main() {
    using namespace std::chrono;
    const Time start = sys_days{2026y / January / 1};
    const Reading readings[] = {{start, 2}, {start + 20s, 4}, {start + 130s, 7}};
    for (const auto& [at, b] : buckets<minutes>(readings))
        std::cout << std::format("{:%H:%M} {} {}\n", at, b.count, b.sum);
}
