// snippet:doc https://en.cppreference.com/w/cpp/filesystem/rename std::filesystem::rename
// snippet:prints a=2 1
// snippet:prints such
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
// snippet:check
#include <iterator>
#include <print>
#include <unistd.h>

int main() {
    const auto dir = fs::temp_directory_path() / ("snippet-" + std::to_string(getpid()));
    fs::create_directory(dir);
    write_atomically(dir / "settings", "a=1");
    write_atomically(dir / "settings", "a=2");
    std::ifstream in(dir / "settings");
    std::println("{} {}", std::string(std::istreambuf_iterator<char>(in), {}), std::distance(fs::directory_iterator(dir), {}));
    try {
        write_atomically(dir / "no" / "such", "");
    } catch (const fs::filesystem_error& e) {
        std::println("{}", e.path1().filename().string());
    }
    fs::remove_all(dir);
}
