package seal

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
)

// minEntropy is what a master key must have by [entropy], in bits. Of 32 random bytes, raw,
// in base64 or in hex, fewer than one in 10^12 have less; most have 150.
const minEntropy = 96

// ParseMaster reads a master key as people write it: base64 of at least [MinMaster] bytes
// (RFC 4648 section 4), the form in which the gateway stores keys, or any other text of
// that length, which is the key. It refuses one that can be guessed, as far as an estimate
// tells: it knows what repeats or counts, and not the words of a language. also is the
// text of a key in base64, with which values may be sealed, too; nil for others.
func ParseMaster(text []byte) (key, also []byte, err error) {
	if trimmed := bytes.Trim(text, " \t\r\n"); len(trimmed) >= MinMaster {
		text = trimmed // files end with a line break; one in random bytes stays
	}
	if err := CheckSecret(text); err != nil {
		return nil, nil, err
	}
	if decoded, err := base64.StdEncoding.DecodeString(string(text)); err == nil && len(decoded) >= MinMaster {
		return decoded, text, CheckSecret(decoded)
	}
	return text, nil, nil
}

// CheckSecret refuses what can be guessed as [ParseMaster] does, of a secret that others can
// try as often as they like.
func CheckSecret(text []byte) error {
	if len(text) < MinMaster {
		return fmt.Errorf("has %d bytes; it needs at least %d", len(text), MinMaster)
	}
	if bits := entropy(text); bits < minEntropy {
		return fmt.Errorf("can be guessed: it has about %.0f bits of entropy, and needs %d", bits, minEntropy)
	}
	return nil
}

// entropy estimates the bits that it takes to guess a text: Shannon's entropy of its bytes,
// or of the differences between them if that is less (as in abcdef and 123456), without
// the parts of four bytes and more that are there already.
func entropy(text []byte) float64 {
	differences := make([]byte, len(text))
	for i := range text {
		differences[i] = text[i] - text[max(i-1, 0)]
	}
	return min(shannon(withoutRepeats(text)), shannon(withoutRepeats(differences)))
}

// withoutRepeats is a text without the longest parts of at least four bytes that occur
// before; the first byte of each stays.
func withoutRepeats(text []byte) []byte {
	const shortest = 4
	var rest []byte
	for i := 0; i < len(text); {
		length := 0
		for n := shortest; i+n <= len(text) && bytes.Contains(text[:i+n-1], text[i:i+n]); n++ {
			length = n
		}
		rest = append(rest, text[i])
		i += max(length, 1)
	}
	return rest
}

// shannon is the entropy of the bytes of a text, in bits.
func shannon(text []byte) (bits float64) {
	var counts [256]int
	for _, b := range text {
		counts[b]++
	}
	for _, count := range counts {
		if count > 0 {
			bits += float64(count) * math.Log2(float64(len(text))/float64(count))
		}
	}
	return bits
}
