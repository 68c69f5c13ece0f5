// snippet:title Structured logging
// snippet:doc https://en.cppreference.com/w/cpp/utility/source_location std::source_location
// snippet:needs C++23 (GCC 15, LLVM 17)
// snippet:into Call it from a program: log("info", "order paid", {{"id", "7"}})
// snippet:prints time=2026-01-01T00:00:00Z level=info msg="order paid" id=7 note="two \"gifts\"" by="a\nlevel=x" func="int main()"
#include <algorithm>
#include <chrono>
#include <format>
#include <iostream>
#include <source_location>
#include <string>
#include <string_view>

struct Field { std::string_view key; std::string value; };

/// One line of logfmt per event: easy to read and to search. The default
/// arguments are the time and the calling function.
void log(std::string_view level, std::string_view message, std::initializer_list<Field> fields,
         std::chrono::sys_seconds now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()),
         std::source_location at = std::source_location::current()) {
    auto quoted = [](std::string_view text) {
        auto harmless = [](char c) { return c > ' ' && c < 127 && c != '"' && c != '='; };
        const bool plain = !text.empty() && std::ranges::all_of(text, harmless);
        return plain ? std::string(text) : std::format("{:?}", text); // a line break stays inside
    };
    auto line = std::format("time={:%FT%TZ} level={} msg={}", now, level, quoted(message));
    for (const auto& [key, value] : fields) line += std::format(" {}={}", key, quoted(value));
    std::clog << line + std::format(" func={}\n", quoted(at.function_name()));
}
// snippet:check
int main() {
    std::clog.rdbuf(std::cout.rdbuf());
    log("info", "order paid", {{"id", "7"}, {"note", "two \"gifts\""}, {"by", "a\nlevel=x"}}, std::chrono::sys_seconds{std::chrono::seconds{1767225600}});
}
