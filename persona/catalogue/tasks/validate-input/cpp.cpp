// snippet:doc https://en.cppreference.com/w/cpp/container/map std::map
// snippet:prints email needs an @
// snippet:prints port must be a number
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct Rule {
    std::function<bool(std::string_view)> holds;
    std::string message;
};

using Form = std::map<std::string, std::string>;

/// All broken rules by field. A missing field is checked as an empty one.
std::multimap<std::string, std::string> problems(
    const Form& form, const std::map<std::string, std::vector<Rule>>& rules) {
    std::multimap<std::string, std::string> found;
    for (const auto& [field, checks] : rules) {
        const auto value = form.find(field);
        std::string_view text;
        if (value != form.end()) text = value->second;
        for (const auto& rule : checks)
            if (!rule.holds(text)) found.emplace(field, rule.message);
    }
    return found;
}
// snippet:check
#include <print>

int main() {
    const auto found = problems({{"name", "Ada"}, {"port", "80x"}}, {
        {"name", {{[](auto s) { return !s.empty(); }, "is required"}}},
        {"port", {{[](auto s) { return std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; }); }, "must be a number"}}},
        {"email", {{[](auto s) { return s.contains('@'); }, "needs an @"}}},
    });
    for (const auto& [field, message] : found) std::println("{} {}", field, message);
}
