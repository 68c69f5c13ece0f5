// snippet:doc https://developer.apple.com/documentation/swift/dictionary/init(grouping:by:) Dictionary(grouping:by:)
import Foundation

struct Reading {
    let time: Date
    let value: Double
}

struct Bucket {
    let start: Date
    let values: [Double]
    var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }
    var range: ClosedRange<Double>? {
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }
}

/// Equal intervals from the first to the last reading; an interval without readings is there too, empty.
func buckets(_ readings: [Reading], every seconds: TimeInterval) -> [Bucket] {
    let groups = Dictionary(grouping: readings) { Int(($0.time.timeIntervalSince1970 / seconds).rounded(.down)) }
    guard let first = groups.keys.min(), let last = groups.keys.max() else { return [] }
    return (first...last).map { slot in
        Bucket(
            start: Date(timeIntervalSince1970: Double(slot) * seconds),
            values: groups[slot, default: []].map(\.value)
        )
    }
}
