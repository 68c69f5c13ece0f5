// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/crypto/sha256 crypto/sha256
import (
	"crypto/sha256"
	// snippet:usage
	"fmt"
	// snippet:end
)

type Hash = [sha256.Size]byte

// MerkleRoot hashes the leaves in pairs up to one hash. Leaves and inner nodes
// have different prefixes (RFC 9162), so that neither can pass for the other.
func MerkleRoot(leaves [][]byte) Hash {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	}
	split := 1 // the largest power of two below the number of leaves
	for split*2 < len(leaves) {
		split *= 2
	}
	left, right := MerkleRoot(leaves[:split]), MerkleRoot(leaves[split:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

// snippet:usage
// snippet:prints 36642e73 false
func main() {
	a := MerkleRoot([][]byte{[]byte("a"), []byte("b"), []byte("c")})
	b := MerkleRoot([][]byte{[]byte("a"), []byte("b"), []byte("d")})
	fmt.Printf("%x %v\n", a[:4], a == b)
}
