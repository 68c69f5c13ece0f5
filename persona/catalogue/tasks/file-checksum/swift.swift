// snippet:doc https://developer.apple.com/documentation/cryptokit/sha256 SHA256 in CryptoKit
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
