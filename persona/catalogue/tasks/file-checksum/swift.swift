// snippet:doc https://developer.apple.com/documentation/cryptokit/sha256 SHA256 in CryptoKit
// snippet:needs an Apple system, or swift-crypto, whose module is Crypto
// snippet:description Compute the SHA-256 of a file, which is read in blocks. `verify` throws where it is not the one that was
// snippet:description published.
// snippet:prints ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
// snippet:prints cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0
// snippet:prints abc.txt is not what was published
import CryptoKit
import Foundation

/// The file's SHA-256 in hexadecimal; it is read in blocks, however large it is.
func checksum(of file: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var hasher = SHA256()
    while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty {
        hasher.update(data: block)
    }
    return hasher.finalize().map { String(format: "%02x", $0) }.joined()
}

struct ChecksumMismatch: LocalizedError {
    let file: URL
    var errorDescription: String? { "\(file.lastPathComponent) is not what was published" }
}

func verify(_ file: URL, against expected: String) throws {
    guard try checksum(of: file) == expected.lowercased() else {
        throw ChecksumMismatch(file: file)
    }
}

// snippet:check
let small = URL(fileURLWithPath: "abc.txt")
try Data("abc".utf8).write(to: small)
print(try checksum(of: small))
let large = URL(fileURLWithPath: "million.txt")
try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: large)
print(try checksum(of: large))
try verify(large, against: "CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0")
do {
    try verify(small, against: String(repeating: "0", count: 64))
} catch {
    print(error.localizedDescription)
}
