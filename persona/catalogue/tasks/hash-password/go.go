// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/crypto/pbkdf2 crypto/pbkdf2
// snippet:needs Go 1.24
import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	// snippet:usage
	"fmt"
	// snippet:end
)

// PasswordHash keeps its own cost, so that it can be raised for new passwords.
type PasswordHash struct {
	Iterations int
	Salt, Key  []byte
}

const iterations = 600_000 // OWASP's figure for PBKDF2 with SHA-256

func HashPassword(password string) (PasswordHash, error) {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails: the program stops if the system has no randomness
	key, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	return PasswordHash{iterations, salt, key}, err
}

func (h PasswordHash) Matches(password string) bool {
	key, err := pbkdf2.Key(sha256.New, password, h.Salt, h.Iterations, len(h.Key))
	return err == nil && subtle.ConstantTimeCompare(key, h.Key) == 1
}

// snippet:usage
// snippet:prints true false <nil>
func main() {
	h, err := HashPassword("correct horse")
	fmt.Println(h.Matches("correct horse"), h.Matches("wrong"), err)
}
