// snippet:doc https://developer.apple.com/documentation/swift/optionset OptionSet
// snippet:prints true false 7
// snippet:prints true 5 1 5
struct Status: OptionSet {
    let rawValue: UInt8

    static let ready = Status(rawValue: 1 << 0)
    static let fault = Status(rawValue: 1 << 1)
    static let overheated = Status(rawValue: 1 << 2)

    private static let modeMask: UInt8 = 0b0111_0000

    /// The three-bit field beside the flags.
    var mode: UInt8 { (rawValue & Self.modeMask) >> 4 }

    func with(mode: UInt8) -> Status {
        precondition(mode <= 7, "a mode has three bits")
        return Status(rawValue: rawValue & ~Self.modeMask | mode << 4)
    }
}

let status = Status(rawValue: 0x25).with(mode: 7)
print(status.contains(.ready), status.contains(.fault), status.mode)

// snippet:check
print(status.contains(.overheated), Status(rawValue: 0x55).mode, status.with(mode: 1).mode, status.rawValue & 0x0f)
