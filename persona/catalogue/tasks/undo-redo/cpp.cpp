// snippet:doc https://en.cppreference.com/w/cpp/utility/functional/function std::function
// snippet:prints false
// snippet:prints one
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
// snippet:check
#include <print>

int main() {
    std::string text;
    History history;
    for (const char* word : {"one ", "two "})
        history.perform({"type", [&text, word] { text += word; }, [&text, n = std::string(word).size()] { text.resize(text.size() - n); }});
    history.undo();
    history.undo();
    std::println("{}", history.undo());
    history.redo();
    std::println("{}", text);
}
