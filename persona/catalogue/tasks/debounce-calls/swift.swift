// snippet:doc https://developer.apple.com/documentation/swift/task/sleep(for:tolerance:clock:) Task.sleep
// snippet:needs Swift 5.7, macOS 13, iOS 16
// snippet:prints ["swift"]
// snippet:prints ["swift"]
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
            try? await Task.sleep(for: quiet)
            if !Task.isCancelled { action(value) }
        }
    }

    func cancel() { pending?.cancel() }
}

// In a view model; one that is @Observable needs @ObservationIgnored before it:
// lazy var search = Debouncer<String> { [weak self] text in self?.load(text) }

// snippet:check
var searched: [String] = []
let search = Debouncer<String>(quiet: .milliseconds(100)) { searched.append($0) }
for text in ["s", "sw", "swift"] {
    search(text)
}
while searched.isEmpty {
    try await Task.sleep(for: .milliseconds(10))
}
print(searched)
search("never")
search.cancel()
try await Task.sleep(for: .milliseconds(300))
print(searched)
