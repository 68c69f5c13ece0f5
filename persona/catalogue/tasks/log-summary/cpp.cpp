// snippet:doc https://en.cppreference.com/w/cpp/string/basic_string/getline std::getline
// snippet:needs C++20
// snippet:prints 2026-03-01T10 2 disk full
// snippet:prints 2026-03-01T11 1 timeout
#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

struct Entry { std::string_view hour, level, message; };

/// "2026-03-01T10:00:01Z ERROR disk full"; nothing for lines of another form.
std::optional<Entry> parse(std::string_view line) {
    constexpr std::string_view form = "0000-00-00T00:00:00Z ";
    auto fits = [](char c, char f) { return f == '0' ? c >= '0' && c <= '9' : c == f; };
    const auto end = line.find(' ', form.size());
    if (end == line.npos || !std::ranges::equal(line.substr(0, form.size()), form, fits))
        return std::nullopt;
    const auto level = line.substr(form.size(), end - form.size());
    return Entry{line.substr(0, 13), level, line.substr(end + 1)};
}

struct Hour { int errors = 0; std::string first; };

/// Errors per hour with the first message: often the cause of the others.
std::map<std::string, Hour> errors_per_hour(std::istream& log) {
    std::map<std::string, Hour> hours;
    for (std::string line; std::getline(log, line);) {
        if (line.ends_with('\r')) line.pop_back();
        const auto entry = parse(line);
        if (!entry || entry->level != "ERROR") continue;
        auto& hour = hours[std::string(entry->hour)];
        if (hour.errors++ == 0) hour.first = entry->message;
    }
    return hours;
}
// snippet:check
#include <print>
#include <sstream>

int main() {
    std::istringstream log("2026-03-01T09:59:58Z INFO started\n2026-03-01T10:00:01Z ERROR disk full\r\n  at write\nConnectionTimeoutError ERROR x\nyyyy-mm-ddThh:mm:ssZ ERROR x\n2026-03-01T10:zz ERROR x\n"
                           "2026-03-01T10:00:02Z ERROR write failed\n2026-03-01T11:10:00Z ERROR timeout\n");
    for (const auto& [hour, h] : errors_per_hour(log)) std::println("{} {} {}", hour, h.errors, h.first);
}
