// snippet:doc https://en.cppreference.com/w/cpp/utility/from_chars std::from_chars
// snippet:needs C++23 (GCC 13, LLVM 17)
// snippet:prints 3 true a.txt
// snippet:prints -n=3x: want a number from 1
// snippet:prints usage: tool [-v] [-n=count] file
// snippet:prints usage: tool [-v] [-n=count] file
#include <charconv>
#include <expected>
#include <format>
#include <span>
#include <string>
#include <string_view>

struct Options { int count = 10; bool verbose = false; std::string_view file; };

/// tool [-v] [-n=count] file; the error is a sentence for the user.
std::expected<Options, std::string> parse(std::span<const std::string_view> args) {
    const std::string usage = "usage: tool [-v] [-n=count] file";
    Options o;
    for (std::string_view arg : args) {
        if (arg == "-v") {
            o.verbose = true;
        } else if (arg.starts_with("-n=")) {
            const auto number = arg.substr(3);
            const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), o.count);
            if (error != std::errc{} || end != number.data() + number.size() || o.count < 1)
                return std::unexpected(std::format("{}: want a number from 1", arg));
        } else if (arg.empty() || arg.starts_with('-') || !o.file.empty()) {
            return std::unexpected(usage);
        } else {
            o.file = arg;
        }
    }
    if (o.file.empty()) return std::unexpected(usage);
    return o;
}
// snippet:check
#include <print>
#include <vector>

int main() {
    using Args = std::vector<std::string_view>;
    const auto o = parse(Args{"-v", "-n=3", "a.txt"}).value();
    std::println("{} {} {}", o.count, o.verbose, o.file);
    for (const auto& bad : {Args{"-n=3x", "a"}, Args{"", "a"}, Args{}}) std::println("{}", parse(bad).error());
}
