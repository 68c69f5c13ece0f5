// snippet:doc https://developer.apple.com/documentation/swift/regex Regex
// snippet:needs Swift 5.7, macOS 13
// snippet:into Save it as main.swift, beside a service.log: swift main.swift
import Foundation

/// Errors per hour of a log whose lines begin "2025-03-04T10:15:30Z ERROR", in order of time.
func errorsPerHour(in log: URL) async throws -> [(hour: Substring, errors: Int)] {
    let lineFormat = #/(?<hour>\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S*\s+(?<severity>[A-Z]+)(?!\w)/#
    var errors: [Substring: Int] = [:]
    for try await line in log.lines {
        guard let match = line.prefixMatch(of: lineFormat) else { continue } // of a stack trace, say
        let isError = ["ERROR", "FATAL"].contains(match.severity)
        errors[match.hour, default: 0] += isError ? 1 : 0
    }
    return errors.sorted { $0.key < $1.key }.map { (hour: $0.key, errors: $0.value) }
}

for (hour, errors) in try await errorsPerHour(in: URL(filePath: "service.log")) where errors > 0 {
    print(hour.replacing("T", with: " "), errors)
}
