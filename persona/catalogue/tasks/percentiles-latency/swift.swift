// snippet:doc https://developer.apple.com/documentation/swift/continuousclock ContinuousClock
// snippet:needs Swift 6, or Swift 5.7 on an Apple system
// snippet:prints p50 μs
// snippet:prints p95 μs
// snippet:prints p99 μs
// snippet:prints true true true
// snippet:check
func print(_ name: String, _ time: String) { Swift.print(name, time.hasSuffix("μs") ? "μs" : time) } // times differ
// snippet:end
import Foundation

struct LatencyReport {
    private let sorted: [Duration]

    /// Runs the work again and again and remembers how long each run took.
    init(runs: Int, of work: () throws -> Void) rethrows {
        let clock = ContinuousClock()
        sorted = try (0..<runs).map { _ in try clock.measure(work) }.sorted()
    }

    /// The time that the given percentage of all runs did not exceed (nearest rank); nil without runs.
    func percentile(_ percent: Double) -> Duration? {
        guard !sorted.isEmpty else { return nil }
        let rank = Int((percent * Double(sorted.count) / 100 - 1e-7).rounded(.up)) // 99.9 * 41000 / 100 is above 40959
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}

let report = LatencyReport(runs: 1000) {
    _ = (0..<1000).map { _ in Int.random(in: 0...9999) }.sorted()
}
for percent in [50, 95, 99] {
    if let time = report.percentile(Double(percent)) {
        print("p\(percent)", time.formatted(.units(allowed: [.microseconds])))
    }
}

// snippet:check
var milliseconds = (1...20).makeIterator()
let known = LatencyReport(runs: 20) {
    Thread.sleep(forTimeInterval: Double(milliseconds.next()!) / 1000)
}
let (low, middle, high) = (known.percentile(0)!, known.percentile(50)!, known.percentile(100)!)
Swift.print(low >= .milliseconds(1) && low < high, middle >= .milliseconds(10) && middle <= high, high >= .milliseconds(20))
