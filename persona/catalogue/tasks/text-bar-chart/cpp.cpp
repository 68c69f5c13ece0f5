// snippet:doc https://en.cppreference.com/w/cpp/utility/format/spec std::format specification
// snippet:needs C++20 (GCC 13, LLVM 17)
// snippet:prints checkout |######## 12
// snippet:prints search   |#################### 30.5
// snippet:prints login    | 0
#include <algorithm>
#include <format>
#include <span>
#include <string>
#include <string_view>

struct Bar { std::string_view label; double value; };

/// One line per value; ASCII labels are aligned and the longest bar has `width` marks.
std::string bar_chart(std::span<const Bar> bars, std::size_t width) {
    std::size_t label_width = 0;
    double highest = 0;
    for (const auto& [label, value] : bars) {
        label_width = std::max(label_width, label.size());
        highest = std::max(highest, value);
    }
    std::string chart;
    for (const auto& [label, value] : bars) {
        const double share = highest > 0 ? std::max(0.0, value / highest) : 0; // NaN: no bar
        const auto marks = static_cast<int>(share * static_cast<double>(width) + 0.5);
        chart += std::format("{:<{}} |{:#<{}} {}\n", label, label_width, "", marks, value);
    }
    return chart;
}
// snippet:check
#include <print>

int main() {
    const Bar bars[] = {{"checkout", 12}, {"search", 30.5}, {"login", 0}};
    std::print("{}", bar_chart(bars, 20));
}
