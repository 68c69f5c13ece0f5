// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/crypto/sha256 crypto/sha256
import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// Checksum returns the SHA-256 of a file in hexadecimal, without loading it.
func Checksum(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", fmt.Errorf("checksum of %s: %w", name, err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// snippet:usage
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03 <nil>
func main() {
	os.WriteFile("greeting.txt", []byte("hello\n"), 0o600)
	fmt.Println(Checksum("greeting.txt"))
	// snippet:check
	if _, err := Checksum("missing"); err == nil {
		panic("a missing file")
	}
	// snippet:usage
}
