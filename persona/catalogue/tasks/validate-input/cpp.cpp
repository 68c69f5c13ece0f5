// snippet:doc https://en.cppreference.com/w/cpp/container/map std::map
// snippet:needs C++17
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
// snippet:usage
// snippet:prints email: needs an @
// snippet:prints port: needs digits
#include <iostream>

int main() {
    const Rule given{[](auto s) { return !s.empty(); }, "is required"};
    const Rule number{[](auto s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; }, "needs digits"};
    const Rule address{[](auto s) { return s.find('@') != s.npos; }, "needs an @"};
    const Form form{{"name", "Ada"}, {"port", "80x"}};
    for (const auto& [field, message] : problems(form, {{"name", {given}}, {"port", {number}}, {"email", {address}}}))
        std::cout << field << ": " << message << '\n';
}
