// snippet:doc https://developer.apple.com/documentation/cryptokit/sha256 SHA256 in CryptoKit
// snippet:needs an Apple system, or swift-crypto, whose module is Crypto
// snippet:prints 1e3e30cf01655b70ba0ce55f8a9b13c7edabaf5c12718b3bfb74063fa5712d99
// snippet:prints true true
import CryptoKit
import Foundation

/// One hash that stands for all records; nil without records. Leaves and nodes are hashed with
/// different first bytes, so that a node cannot pass for a leaf (RFC 6962).
func merkleRoot(of records: [Data]) -> Data? {
    var level = records.map { hash(prefix: 0x00, $0) }
    while level.count > 1 {
        level = stride(from: 0, to: level.count, by: 2).map { i in
            i + 1 < level.count ? hash(prefix: 0x01, level[i], level[i + 1]) : level[i]
        }
    }
    return level.first
}

private func hash(prefix: UInt8, _ parts: Data...) -> Data {
    var hasher = SHA256()
    hasher.update(data: [prefix])
    parts.forEach { hasher.update(data: $0) }
    return Data(hasher.finalize())
}

let root = merkleRoot(of: ["alice 5", "bob 7", "carol 1"].map { Data($0.utf8) })
print(root?.map { String(format: "%02x", $0) }.joined() ?? "no records")

// snippet:usage
print(merkleRoot(of: []) == nil, merkleRoot(of: [Data("carol 1".utf8)]) != root)
