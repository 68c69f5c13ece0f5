// snippet:doc https://developer.apple.com/documentation/swift/keyvaluepairs KeyValuePairs
// snippet:needs Swift 5.7
// snippet:prints Mon │█████████████████ 5.2
// snippet:prints Tue │██████████████████████████ 8.1
// snippet:prints Wed │ 0.0
// snippet:prints Thu │████████████████████████████████████████ 12.4
// snippet:prints Fri │███████████████████████ 7.0
// snippet:prints [] ["a  │ -1.0", "bb │ 0.0"]
/// One line for each entry, its bar scaled so that the largest value is `width` characters wide.
func barChart(_ data: some Collection<(key: String, value: Double)>, width: Int = 40) -> [String] {
    guard let most = data.map(\.value).max(), let column = data.map(\.key.count).max() else { return [] }
    return data.map { label, value in
        let length = most > 0 ? Int((Double(width) * (max(0, value) / most)).rounded()) : 0
        let padding = String(repeating: " ", count: column - label.count)
        return "\(label)\(padding) │\(String(repeating: "█", count: length)) \(value)"
    }
}

// KeyValuePairs keeps the order in which it was written, unlike a dictionary.
let kilometres: KeyValuePairs = ["Mon": 5.2, "Tue": 8.1, "Wed": 0, "Thu": 12.4, "Fri": 7]
barChart(kilometres).forEach { print($0) }

// snippet:check
print(barChart([]), barChart([(key: "a", value: -1), (key: "bb", value: 0)]))
