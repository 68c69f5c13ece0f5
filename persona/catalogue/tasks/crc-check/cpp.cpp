// snippet:doc https://en.cppreference.com/w/cpp/language/consteval consteval
// snippet:needs C++20
// snippet:prints d09e69df false
#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>

/// CRC-32 (reflected polynomial 0xEDB88320), as in zip files and Ethernet. The
/// table is computed by the compiler.
consteval std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
        table[i] = crc;
    }
    return table;
}

inline constexpr auto table = crc_table();

constexpr std::uint32_t crc32(std::string_view data) {
    return ~std::accumulate(data.begin(), data.end(), 0xFFFFFFFFu, [](std::uint32_t crc, char c) {
        return (crc >> 8) ^ table[(crc ^ static_cast<std::uint8_t>(c)) & 0xFF];
    });
}

static_assert(crc32("123456789") == 0xCBF43926); // the published check value
// snippet:usage
#include <iostream>

int main() {
    std::cout << std::hex << crc32("temperature=21") << ' ' << std::boolalpha
              << (crc32("temperature=21") == crc32("temperature=31")) << '\n';
}
