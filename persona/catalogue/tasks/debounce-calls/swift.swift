// snippet:doc https://developer.apple.com/documentation/swift/task/sleep(for:tolerance:clock:) Task.sleep
/// Calls its action with the latest value, once the calls have been quiet for a while.
@MainActor
final class Debouncer<Value: Sendable> {
    private let quiet: Duration
    private let action: @MainActor (Value) -> Void
    private var pending: Task<Void, Never>?

    init(quiet: Duration = .milliseconds(300), action: @escaping @MainActor (Value) -> Void) {
        self.quiet = quiet
        self.action = action
    }

    func callAsFunction(_ value: Value) {
        pending?.cancel() // whoever waited before is out
        pending = Task { [quiet, action] in
            do {
                try await Task.sleep(for: quiet)
            } catch {
                return
            }
            action(value)
        }
    }

    func cancel() { pending?.cancel() }
}

// In a view model: let search = Debouncer<String> { [weak self] text in self?.load(text) }
