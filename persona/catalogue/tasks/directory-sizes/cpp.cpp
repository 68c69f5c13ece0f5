// snippet:doc https://en.cppreference.com/w/cpp/filesystem/recursive_directory_iterator recursive_directory_iterator
// snippet:needs C++17 (GCC 9, LLVM 9)
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

namespace fs = std::filesystem;

/// Bytes of each direct child that is a file or holds one. Folders without permission are
/// passed by, symbolic links are not followed. A folder that vanishes meanwhile throws.
std::map<fs::path, std::uintmax_t> sizes_by_child(const fs::path& root) {
    std::map<fs::path, std::uintmax_t> sizes;
    const auto options = fs::directory_options::skip_permission_denied;
    for (const auto& entry : fs::recursive_directory_iterator(root, options)) {
        std::error_code gone; // a file may vanish while we look
        if (entry.is_symlink(gone) || !entry.is_regular_file(gone)) continue;
        const auto bytes = entry.file_size(gone);
        if (!gone) sizes[*entry.path().lexically_relative(root).begin()] += bytes;
    }
    return sizes;
}
// snippet:usage
// snippet:prints logs 15
// snippet:prints readme 2
#include <fstream>
#include <iostream>

int main() {
    fs::create_directories("app/logs/old");
    std::ofstream("app/logs/a") << "0123456789";
    std::ofstream("app/logs/old/b") << "01234";
    std::ofstream("app/readme") << "hi";
    for (const auto& [child, bytes] : sizes_by_child("app")) std::cout << child.string() << ' ' << bytes << '\n';
}
