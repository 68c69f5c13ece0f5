// snippet:doc https://en.cppreference.com/w/cpp/container/map std::map
// snippet:needs C++23 (GCC 14, LLVM 17)
// snippet:prints Bath 1 900
// snippet:prints Rome 2 600
#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <vector>

struct Sale { std::string city; long long cents; };
struct Total { std::string city; int count = 0; long long cents = 0; };

/// Count and sum per city, the largest sum first.
std::vector<Total> totals_by_city(std::span<const Sale> sales) {
    std::map<std::string, Total> groups;
    for (const auto& [city, cents] : sales) {
        auto& total = groups[city];
        total.city = city;
        ++total.count;
        total.cents += cents;
    }
    auto totals = groups | std::views::values | std::ranges::to<std::vector>();
    std::ranges::stable_sort(totals, std::ranges::greater{}, &Total::cents); // ties stay by name
    return totals;
}
// snippet:usage
#include <iostream>

int main() {
    const Sale sales[] = {{"Rome", 200}, {"Bath", 900}, {"Rome", 400}};
    for (const auto& t : totals_by_city(sales)) std::cout << t.city << ' ' << t.count << ' ' << t.cents << '\n';
}
