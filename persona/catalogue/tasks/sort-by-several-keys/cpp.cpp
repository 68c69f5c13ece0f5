// snippet:doc https://en.cppreference.com/w/cpp/algorithm/ranges/sort std::ranges::sort
// snippet:needs C++20
// snippet:prints Cy Di Ann Bo Di
#include <algorithm>
#include <ranges>
#include <string>
#include <tuple>
#include <vector>

struct Player {
    std::string name;
    int score;
    double seconds;
};

/// Best score first, then the shorter time (never NaN), then the name: one projection to a
/// tuple instead of a hand-written chain of comparisons.
constexpr auto by_rank = [](const Player& p) {
    return std::tuple<long long, double, const std::string&>(-1LL * p.score, p.seconds, p.name);
};

void rank(std::vector<Player>& players) {
    std::ranges::sort(players, {}, by_rank);
}

/// The first n by rank, without sorting the rest.
std::vector<Player> best(std::vector<Player> players, std::size_t n) {
    auto middle = players.begin() + static_cast<std::ptrdiff_t>(std::min(n, players.size()));
    std::ranges::partial_sort(players, middle, {}, by_rank);
    players.erase(middle, players.end());
    return players;
}
// snippet:check
#include <print>

int main() {
    std::vector<Player> players{{"Bo", 10, 2.5}, {"Ann", 10, 2.5}, {"Cy", 12, 9}, {"Di", 10, 1}};
    rank(players);
    for (const auto& p : players) std::print("{} ", p.name);
    std::println("{}", best(players, 2)[1].name);
}
