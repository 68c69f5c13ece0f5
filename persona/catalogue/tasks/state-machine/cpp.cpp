// snippet:description The states and events of a connection, with their data, and a function for every allowed step. For an
// snippet:description event that the current state does not allow there is no next state: the result is empty.
// snippet:doc https://en.cppreference.com/w/cpp/utility/variant std::variant
// snippet:needs C++20 (GCC 11, LLVM 17)
// snippet:prints s7 false
#include <optional>
#include <string>
#include <variant>

struct Idle {};
struct Connecting { int attempt; };
struct Connected { std::string session; };
using State = std::variant<Idle, Connecting, Connected>;

struct Connect {};
struct Accepted { std::string session; };
struct Lost {};
using Event = std::variant<Connect, Accepted, Lost>;

template <class... F>
struct overloaded : F... { using F::operator()...; };

/// The next state, or nothing if the event is not allowed in this state.
std::optional<State> next(const State& state, const Event& event) {
    using Next = std::optional<State>;
    return std::visit(overloaded{
        [](const Idle&, const Connect&) -> Next { return Connecting{1}; },
        [](const Connecting&, const Accepted& e) -> Next { return Connected{e.session}; },
        [](const Connecting& s, const Lost&) -> Next { return Connecting{s.attempt + 1}; },
        [](const Connected&, const Lost&) -> Next { return Connecting{1}; },
        [](const auto&, const auto&) -> Next { return std::nullopt; },
    }, state, event);
}
// snippet:usage
#include <iostream>

int main() {
    State s = Idle{};
    for (const Event& e : {Event{Connect{}}, Event{Lost{}}, Event{Accepted{"s7"}}}) s = next(s, e).value();
    std::cout << std::boolalpha << std::get<Connected>(s).session << ' ' << next(s, Connect{}).has_value() << '\n';
}
