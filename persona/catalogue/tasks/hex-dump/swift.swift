// snippet:doc https://developer.apple.com/documentation/swift/string/init(_:radix:uppercase:) String(_:radix:)
// snippet:needs Swift 5.7
// snippet:prints 00000000  47 49 46 38 39 61 01 20 61 6e 64 20 74 68 65 6e  GIF89a. and then
// snippet:prints 00000010  20 73 6f 6d 65                                    some
func hex(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Offset, bytes in hexadecimal and printable characters, sixteen to a row.
func hexDump(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 16).map { at in
        let row = bytes[at..<min(at + 16, bytes.count)]
        let cells = row.map { hex($0, digits: 2) }.joined(separator: " ")
        let text = String(row.map { (0x20...0x7e).contains($0) ? Character(UnicodeScalar($0)) : "." })
        let gap = String(repeating: " ", count: 48 - cells.count)
        return "\(hex(at, digits: 8))  \(cells)\(gap) \(text)"
    }
}

hexDump(Array("GIF89a\u{1} and then some".utf8)).forEach { print($0) }
