package login

import (
	"crypto/sha256"
	"strings"
)

// referenceLength is the length of a reference to a dynamic client in bytes: a zero,
// which no id has, and the first half of a SHA-256.
const referenceLength = 1 + 16

// NewReference is how what is sealed names a client with an id that is long.
func NewReference(id string) string {
	sum := sha256.Sum256([]byte("dynamic client\x00" + id))
	return "\x00" + string(sum[:referenceLength-1])
}

// IsReference reports what [NewReference] makes.
func IsReference(id string) bool { return strings.HasPrefix(id, "\x00") }
