// snippet:doc https://developer.apple.com/documentation/swift/dictionary/init(grouping:by:) Dictionary(grouping:by:)
// snippet:prints 0 2 1.5 1.0...2.0, 60 0 nil nil, 120 1 4.0 4.0...4.0
// snippet:prints -60 1
// snippet:prints 0
import Foundation

struct Reading {
    let time: Date
    let value: Double // not NaN: a range has two ends
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

// snippet:check
func reading(_ second: Double, _ value: Double) -> Reading {
    Reading(time: Date(timeIntervalSince1970: second), value: value)
}
func text(_ bucket: Bucket) -> String {
    let mean = bucket.mean.map { "\($0)" } ?? "nil", range = bucket.range.map { "\($0)" } ?? "nil"
    return "\(Int(bucket.start.timeIntervalSince1970)) \(bucket.values.count) \(mean) \(range)"
}
print(buckets([reading(130, 4), reading(1, 1), reading(59.9, 2)], every: 60).map(text).joined(separator: ", "))
let early = buckets([reading(-1, 7)], every: 60)[0] // before 1970
print(Int(early.start.timeIntervalSince1970), early.values.count)
print(buckets([], every: 60).count)
