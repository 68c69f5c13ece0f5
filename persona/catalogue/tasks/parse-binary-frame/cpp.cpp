// snippet:doc https://en.cppreference.com/w/cpp/container/span std::span
// snippet:needs C++23 (GCC 12, LLVM 16)
// snippet:prints 1 2
// snippet:prints 1 1
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

struct Frame {
    std::uint8_t kind;
    std::span<const std::byte> payload; // a view into the input
};

enum class FrameError { incomplete, not_a_frame };

/// Magic "MX", kind, length (two bytes, big-endian), payload.
constexpr std::expected<Frame, FrameError> parse(std::span<const std::byte> in) {
    constexpr std::size_t header = 5;
    if (in.size() < header) return std::unexpected(FrameError::incomplete);
    if (in[0] != std::byte{'M'} || in[1] != std::byte{'X'})
        return std::unexpected(FrameError::not_a_frame);

    auto number = [&](std::size_t i) { return std::to_integer<std::size_t>(in[i]); };
    const auto length = number(3) << 8 | number(4);
    if (in.size() - header < length) return std::unexpected(FrameError::incomplete);
    return Frame{std::to_integer<std::uint8_t>(in[2]), in.subspan(header, length)};
}
// snippet:usage
#include <iostream>
#include <string_view>

int main() {
    using namespace std::literals;
    const auto good = "MX\x01\x00\x02hi!"sv;
    const auto frame = parse(std::as_bytes(std::span(good)));
    std::cout << int{frame->kind} << ' ' << frame->payload.size() << '\n';
    std::cout << (parse(std::as_bytes(std::span(good.substr(0, 6)))).error() == FrameError::incomplete) << ' '
              << (parse(std::as_bytes(std::span("XXXXXX"sv))).error() == FrameError::not_a_frame) << '\n';
}
