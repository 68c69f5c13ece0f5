// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/ArrayDeque.html java.util.ArrayDeque
// snippet:prints one
import java.util.ArrayDeque;
import java.util.Deque;

final class History {
    record Edit(String name, Runnable redo, Runnable undo) {}

    private final Deque<Edit> done = new ArrayDeque<>();
    private final Deque<Edit> undone = new ArrayDeque<>();

    void perform(Edit edit) {
        edit.redo().run(); // if this throws, the history stays as it was
        done.push(edit);
        undone.clear(); // a new edit ends the branch that was undone
    }

    void undo() {
        if (done.isEmpty()) return;
        done.peek().undo().run();
        undone.push(done.pop());
    }

    void redo() {
        if (undone.isEmpty()) return;
        undone.peek().redo().run();
        done.push(undone.pop());
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var text = new StringBuilder();
        var history = new History();
        for (var word : new String[] {"one ", "two "}) {
            history.perform(new History.Edit("type", () -> text.append(word), () -> text.setLength(text.length() - word.length())));
        }
        history.undo();
        history.undo();
        history.undo();
        history.redo();
        System.out.println(text);
    }
}
