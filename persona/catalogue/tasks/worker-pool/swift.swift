// snippet:doc https://developer.apple.com/documentation/swift/withthrowingtaskgroup(of:returning:isolation:body:) withThrowingTaskGroup
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
