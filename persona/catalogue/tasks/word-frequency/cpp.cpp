// snippet:doc https://en.cppreference.com/w/cpp/ranges C++ ranges
// snippet:needs C++23 (GCC 14, LLVM 17)
// snippet:prints [("the", 4), ("cat", 2), ("dog", 2)]
// snippet:prints [("dog", 2), ("a", 1), ("dog's", 1)]
#include <algorithm>
#include <cctype>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

using Count = std::pair<std::string, int>;

/// The n most frequent words of ASCII letters; equal counts in alphabetical order.
std::vector<Count> top_words(std::string_view text, std::size_t n) {
    std::unordered_map<std::string, int> counts;
    std::string word;
    auto count = [&] {
        while (word.ends_with('\'')) word.pop_back();
        if (!word.empty()) ++counts[std::exchange(word, {})];
    };
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        bool inside = c == '\'' && !word.empty(); // didn't, and not 'did'
        if (std::isalpha(byte) || inside) word += static_cast<char>(std::tolower(byte));
        else count();
    }
    count();

    auto ranking = counts | std::ranges::to<std::vector<Count>>();
    std::ranges::sort(ranking, {}, [](const Count& c) { return std::pair(-c.second, c.first); });
    ranking.resize(std::min(n, ranking.size()));
    return ranking;
}
// snippet:check
#include <print>
#include <utility>

int main() {
    std::println("{}", top_words("The cat saw the dog. The dog didn't see; the cat did!", 3));
    std::println("{}", top_words("''a 'dog' ' dog's dog''", 3));
}
