// snippet:doc https://en.cppreference.com/w/cpp/memory/weak_ptr std::weak_ptr
// snippet:needs C++20
// snippet:prints first a.txt
// snippet:prints second a.txt
// snippet:prints second b.txt
#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// A listener lives as long as its Subscription.
template <class... Args>
class Signal {
    using Listener = std::function<void(Args...)>;
    std::vector<std::weak_ptr<Listener>> listeners_;

public:
    using Subscription = std::shared_ptr<void>;

    [[nodiscard]] Subscription connect(Listener listener) {
        auto owned = std::make_shared<Listener>(std::move(listener));
        listeners_.push_back(owned);
        return owned;
    }

    void emit(const Args&... args) {
        std::erase_if(listeners_, [](const auto& weak) { return weak.expired(); });
        for (const auto& weak : std::vector(listeners_)) // a copy: listeners may connect
            if (auto listener = weak.lock()) (*listener)(args...);
    }
};
// snippet:usage
#include <iostream>
#include <string>

int main() {
    Signal<std::string> saved;
    auto first = saved.connect([](const std::string& file) { std::cout << "first " << file << '\n'; });
    auto second = saved.connect([](const std::string& file) { std::cout << "second " << file << '\n'; });
    saved.emit("a.txt");
    first.reset();
    saved.emit("b.txt");
}
