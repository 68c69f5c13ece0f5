// snippet:doc https://developer.apple.com/documentation/testing/parameterizedtesting Parameterized testing
// snippet:into Save it below Tests of a Swift package: swift test
// snippet:needs Swift 6
// snippet:title A table-driven test with Swift Testing
import Foundation
import Testing

func initials(_ name: String) -> String {
    name.split(whereSeparator: \.isWhitespace).compactMap(\.first).map { $0.uppercased() }.joined()
}

@Suite("Initials of a name")
struct InitialsTests {
    @Test("first letters, upper case", arguments: [
        ("Ada Lovelace", "AL"),
        ("grace brewster hopper", "GBH"),
        ("  Plato ", "P"),
        ("élodie Ångström", "ÉÅ"),
        ("", ""),
    ])
    func firstLetters(name: String, expected: String) {
        #expect(initials(name) == expected)
    }
}
// snippet:check
// Each version says it in its own words.
// snippet:prints Test run with 1 test passed
// snippet:end
