// snippet:description Read settings from environment variables, with defaults. A number that is none, or out of its limits, is added
// snippet:description to a list of mistakes, so that all of them can be reported at once.
// snippet:doc https://en.cppreference.com/w/cpp/utility/program/getenv std::getenv
// snippet:needs C++20 (GCC 13, LLVM 17)
#include <charconv>
#include <cstdlib>
#include <format>
#include <string>
#include <string_view>
#include <vector>

struct Config { int port; int workers; std::string database; };

/// Reads the environment and adds every mistake to a list, to report them all.
class Environment {
public:
    std::vector<std::string> mistakes;

    std::string text(const char* key, std::string fallback) const {
        const char* value = std::getenv(key);
        return value ? value : fallback;
    }

    int number(const char* key, int fallback, int low, int high) {
        const char* value = std::getenv(key);
        if (!value) return fallback;
        const std::string_view s = value;
        int n = 0;
        const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
        if (error == std::errc{} && end == s.data() + s.size() && low <= n && n <= high) return n;
        mistakes.push_back(std::format("{}={}: want {} to {}", key, s, low, high));
        return fallback;
    }
};
// snippet:usage
// snippet:prints 8080 4 app.db
// snippet:prints PORT=70000: want 1 to 65535
// snippet:prints WORKERS=many: want 1 to 64
#include <iostream>

int main() {
    setenv("PORT", "70000", 1); // POSIX; Windows has _putenv_s
    setenv("WORKERS", "many", 1);
    Environment env;
    Config c{env.number("PORT", 8080, 1, 65535), env.number("WORKERS", 4, 1, 64), env.text("DATABASE", "app.db")};
    std::cout << c.port << ' ' << c.workers << ' ' << c.database << '\n';
    for (const auto& m : env.mistakes) std::cout << m << '\n';
}
