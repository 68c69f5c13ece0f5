// snippet:doc https://developer.apple.com/documentation/swift/withthrowingtaskgroup(of:returning:isolation:body:) withThrowingTaskGroup
// snippet:prints [1, 4, 9, 16, 25, 36, 49, 64]
// snippet:prints 3
// snippet:prints []
// snippet:prints failed true
extension Collection where Element: Sendable {
    /// Runs `work` on all elements, at most `limit` at a time. The results stand in the order of the
    /// elements; the first error cancels what still runs and is thrown.
    func concurrentMap<Result: Sendable>(
        limit: Int = 4,
        _ work: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var results = [Result?](repeating: nil, count: count)
            var jobs = enumerated().makeIterator()

            for _ in 0..<Swift.max(1, limit) {
                guard let (index, element) = jobs.next() else { break }
                group.addTask { (index, try await work(element)) }
            }
            while let (index, result) = try await group.next() {
                results[index] = result
                if let (index, element) = jobs.next() { // one is ready: the next may begin
                    group.addTask { (index, try await work(element)) }
                }
            }
            return results.compactMap { $0 }
        }
    }
}

// snippet:check
actor Meter {
    private var running = 0
    private(set) var most = 0
    private(set) var begun = 0
    func begin() { running += 1; begun += 1; most = max(most, running) }
    func end() { running -= 1 }
}
let meter = Meter()
let squares = try await (1...8).concurrentMap(limit: 3) { n in
    await meter.begin()
    try await Task.sleep(for: .milliseconds(n % 2 == 0 ? 5 : 30)) // the later ones end first
    await meter.end()
    return n * n
}
print(squares)
print(await meter.most)
print(try await [Int]().concurrentMap { $0 })
struct Broken: Error {}
let failing = Meter()
do {
    _ = try await Array(1...100).concurrentMap(limit: 2) { n in
        await failing.begin()
        if n == 2 { throw Broken() }
        try await Task.sleep(for: .milliseconds(50))
        return n
    }
} catch is Broken {
    print("failed", await failing.begun < 100)
}
