// snippet:doc https://en.cppreference.com/w/cpp/container/map std::map
// snippet:prints 601080390
#include <functional>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

/// Remembers results by argument (no NaN: it has no order). Give the function itself as first parameter
/// and let it recurse through that: then the inner calls are remembered, too.
template <class R, class... Args>
class Memo {
public:
    using Function = std::function<R(Memo&, Args...)>;
    explicit Memo(Function f) : function_(std::move(f)) {}

    const R& operator()(Args... args) {
        Key key(args...);
        if (auto known = results_.find(key); known != results_.end()) return known->second;
        R result = function_(*this, args...); // may add other results
        return results_.emplace(std::move(key), std::move(result)).first->second;
    }

private:
    using Key = std::tuple<std::decay_t<Args>...>; // values, also of arguments given by reference
    Function function_;
    std::map<Key, R> results_; // its references stay valid
};
// snippet:usage
#include <iostream>

int main() {
    Memo<unsigned long long, int, int> paths([](auto& self, int x, int y) {
        return x == 0 || y == 0 ? 1ull : self(x - 1, y) + self(x, y - 1);
    });
    std::cout << paths(16, 16) << '\n';
}
