// snippet:doc https://en.cppreference.com/w/cpp/filesystem/rename std::filesystem::rename
// snippet:needs C++17 (GCC 9, LLVM 9)
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

/// Replaces a file: readers see the old content or the new. Throws
/// fs::filesystem_error, and leaves the old file alone, when it cannot be written.
/// For one writer at a time, to whom the name with .tmp added belongs, too; the
/// permissions are those of any new file. To outlive a power cut takes fsync, which C++ lacks.
void write_atomically(const fs::path& target, std::string_view content) {
    fs::path temporary = target;
    temporary += ".tmp";
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close(); // flushes: a full disk is seen here
    std::error_code code;
    if (!out) code = std::make_error_code(std::errc::io_error);
    if (!code) fs::rename(temporary, target, code);
    if (code) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw fs::filesystem_error("cannot write", target, code);
    }
}
// snippet:usage
#include <iostream>
#include <iterator>

int main() {
    write_atomically("settings.ini", "a=1");
    write_atomically("settings.ini", "a=2");
    std::ifstream in("settings.ini");
    std::cout << std::string(std::istreambuf_iterator<char>(in), {}) << '\n';
    // snippet:check
    try {
        write_atomically(fs::path("no") / "such", "");
    } catch (const fs::filesystem_error& e) {
        std::cout << e.path1().filename().string() << '\n';
    }
    // snippet:usage
}
// snippet:prints a=2
// snippet:check
// snippet:prints such
