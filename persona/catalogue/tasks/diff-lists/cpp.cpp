// snippet:doc https://en.cppreference.com/w/cpp/container/map std::map
// snippet:needs C++20 (GCC 13, LLVM 17)
#include <format>
#include <map>
#include <string>
#include <vector>

using Settings = std::map<std::string, std::string>;

/// One line per difference. Walks the two sorted maps side by side: linear.
std::vector<std::string> diff(const Settings& before, const Settings& after) {
    std::vector<std::string> lines;
    auto a = before.begin();
    auto b = after.begin();
    while (a != before.end() || b != after.end()) {
        if (b == after.end() || (a != before.end() && a->first < b->first)) {
            lines.push_back(std::format("- {}={}", a->first, a->second));
            ++a;
        } else if (a == before.end() || b->first < a->first) {
            lines.push_back(std::format("+ {}={}", b->first, b->second));
            ++b;
        } else {
            if (a->second != b->second)
                lines.push_back(std::format("~ {}={} (was {})", a->first, b->second, a->second));
            ++a, ++b;
        }
    }
    return lines;
}
// snippet:usage
// snippet:prints + log=json
// snippet:prints ~ port=443 (was 80)
// snippet:prints - tls=off
#include <iostream>

int main() {
    const Settings before{{"port", "80"}, {"host", "a"}, {"tls", "off"}};
    const Settings after{{"port", "443"}, {"host", "a"}, {"log", "json"}};
    for (const auto& line : diff(before, after)) std::cout << line << '\n';
}
