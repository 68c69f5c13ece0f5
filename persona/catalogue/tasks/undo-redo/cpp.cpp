// snippet:doc https://en.cppreference.com/w/cpp/utility/functional/function std::function
#include <functional>
#include <string>
#include <utility>
#include <vector>

class History {
public:
    struct Edit { std::string name; std::function<void()> redo, undo; };

    void perform(Edit edit) {
        edit.redo(); // if this throws, the history stays as it was
        undone_.clear(); // a new edit ends the branch that was undone
        done_.push_back(std::move(edit));
    }
    bool undo() { return step(done_, undone_, &Edit::undo); }
    bool redo() { return step(undone_, done_, &Edit::redo); }

private:
    using Action = std::function<void()> Edit::*;
    static bool step(std::vector<Edit>& from, std::vector<Edit>& to, Action run) {
        if (from.empty()) return false;
        (from.back().*run)();
        to.push_back(std::move(from.back()));
        from.pop_back();
        return true;
    }
    std::vector<Edit> done_, undone_;
};
// snippet:usage
// snippet:prints one two one
#include <iostream>

int main() {
    std::string text;
    History history;
    for (const std::string word : {"one ", "two "})
        history.perform({"type", [&text, word] { text += word; },
                         [&text, n = word.size()] { text.resize(text.size() - n); }});
    std::cout << text;
    history.undo();
    std::cout << text << '\n';
    // snippet:check
    // snippet:prints 0
    // snippet:prints one
    history.undo();
    std::cout << history.undo() << '\n';
    history.redo();
    std::cout << text << '\n';
    // snippet:usage
}
