// snippet:doc https://en.cppreference.com/w/cpp/numeric/random/discrete_distribution std::discrete_distribution
// snippet:prints coin 70%
// snippet:prints crown 5%
// snippet:prints potion 25%
#include <random>
#include <string>
#include <utility>
#include <vector>

struct Loot { std::string name; double weight; };

/// Draws from a table by weight: one at least is above zero, and none below. The same
/// seed gives the same sequence (with the same standard library), so a bug report with
/// a seed can be played again.
class LootTable {
public:
    LootTable(std::vector<Loot> table, unsigned seed) : table_(std::move(table)), random_(seed) {
        std::vector<double> weights;
        for (const auto& loot : table_) weights.push_back(loot.weight);
        pick_ = {weights.begin(), weights.end()};
    }

    const std::string& draw() { return table_[pick_(random_)].name; }

private:
    std::vector<Loot> table_;
    std::mt19937 random_;
    std::discrete_distribution<std::size_t> pick_;
};
// snippet:usage
#include <map>
#include <cstdio>

int main() {
    LootTable chest({{"coin", 70}, {"potion", 25}, {"crown", 5}}, 42);
    std::map<std::string, int> counts;
    for (int i = 0; i < 10000; ++i) ++counts[chest.draw()];
    for (const auto& [name, count] : counts) std::printf("%s %.0f%%\n", name.c_str(), count / 100.0);
}
