// snippet:doc https://en.cppreference.com/w/cpp/container/queue std::queue
// snippet:needs C++20
// snippet:prints 11 false
#include <array>
#include <optional>
#include <queue>
#include <span>
#include <string_view>
#include <vector>

struct Cell { int row, column; bool operator==(const Cell&) const = default; };

/// Fewest steps on a map of equal rows, one at least ('#' is a wall), by breadth-first search.
std::optional<int> shortest_path(std::span<const std::string_view> map, Cell start, Cell goal) {
    const int rows = static_cast<int>(map.size()), columns = static_cast<int>(map[0].size());
    std::vector steps(map.size(), std::vector(map[0].size(), -1));
    auto at = [&](Cell c) -> int& { return steps[c.row][c.column]; };
    std::queue<Cell> open({start});
    at(start) = 0;
    for (; !open.empty(); open.pop()) {
        const Cell here = open.front();
        if (here == goal) return at(here);
        for (auto [dr, dc] : std::array<Cell, 4>{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}}) {
            const Cell next{here.row + dr, here.column + dc};
            const auto [r, c] = next;
            const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
            if (!inside || map[r][c] == '#' || at(next) >= 0) continue;
            at(next) = at(here) + 1;
            open.push(next);
        }
    }
    return std::nullopt;
}
// snippet:usage
#include <iostream>

int main() {
    const std::vector<std::string_view> map{"...#....", ".#.#.##.", ".#...#..", ".####.#."};
    std::cout << std::boolalpha << *shortest_path(map, {0, 0}, {0, 7}) << ' '
              << shortest_path(map, {0, 0}, {3, 5}).has_value() << '\n';
}
