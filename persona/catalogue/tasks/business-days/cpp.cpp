// snippet:doc https://en.cppreference.com/w/cpp/chrono/weekday std::chrono::weekday
// snippet:title Add working days to a date
// snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
// snippet:description not count.
// snippet:needs C++20 (GCC 13, LLVM 17)
// snippet:prints 2026-05-04 2026-05-08
#include <chrono>
#include <set>
#include <utility>

using namespace std::chrono;

class WorkCalendar {
public:
    explicit WorkCalendar(std::set<sys_days> holidays) : holidays_(std::move(holidays)) {}

    bool is_workday(sys_days day) const {
        const weekday w{day};
        return w != Saturday && w != Sunday && !holidays_.contains(day);
    }

    /// The date `count` working days after `day`, which itself does not count.
    sys_days add(sys_days day, int count) const {
        while (count > 0) {
            day += days{1};
            if (is_workday(day)) --count;
        }
        return day;
    }

private:
    std::set<sys_days> holidays_;
};
// snippet:usage
#include <format>
#include <iostream>

int main() {
    const WorkCalendar calendar({2026y / May / 1});
    std::cout << std::format("{:%F} {:%F}\n", calendar.add(2026y / April / 30, 1), calendar.add(2026y / April / 30, 5));
}
