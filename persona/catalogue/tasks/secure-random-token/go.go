// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/crypto/rand crypto/rand
// snippet:needs Go 1.24
// snippet:description Make a token with crypto/rand, the source that is made for secrets, and keep only its hash. The package
// snippet:description math/rand does not promise that its values cannot be foreseen.
import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	// snippet:usage
	"fmt"
	// snippet:end
)

// NewToken returns a token for the user and the hash to store. A stolen
// database then holds nothing that opens a session.
func NewToken() (token string, hash [sha256.Size]byte) {
	token = rand.Text() // base32, at least 128 bits from the operating system
	return token, sha256.Sum256([]byte(token))
}

// TokenMatches compares with the function that is made for secrets.
func TokenMatches(token string, hash [sha256.Size]byte) bool {
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], hash[:]) == 1
}

// snippet:usage
// snippet:prints 26 true false
func main() {
	token, hash := NewToken()
	other, _ := NewToken()
	fmt.Println(len(token), TokenMatches(token, hash), TokenMatches(other, hash))
}
