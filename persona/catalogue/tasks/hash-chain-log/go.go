// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/crypto/sha256 crypto/sha256
// snippet:prints -1
// snippet:prints 1

import (
	"crypto/sha256"
	"encoding/binary"
)

// snippet:check
import "fmt"

// snippet:end
type Entry struct {
	Text string
	Hash [sha256.Size]byte
}

// link covers the previous hash and the length, so entries cannot be moved,
// joined or split without a trace.
func link(prev [sha256.Size]byte, text string) [sha256.Size]byte {
	data := binary.BigEndian.AppendUint64(prev[:], uint64(len(text)))
	return sha256.Sum256(append(data, text...))
}

// Append adds text to the log; Broken returns the first entry that was changed.
func Append(log []Entry, text string) []Entry {
	var prev [sha256.Size]byte
	if len(log) > 0 {
		prev = log[len(log)-1].Hash
	}
	return append(log, Entry{text, link(prev, text)})
}

// snippet:check
func Broken(log []Entry) int {
	var prev [sha256.Size]byte
	for i, e := range log {
		if e.Hash != link(prev, e.Text) {
			return i
		}
		prev = e.Hash
	}
	return -1
}

func main() {
	var log []Entry
	for _, t := range []string{"opened", "paid 10", "closed"} {
		log = Append(log, t)
	}
	fmt.Println(Broken(log))
	log[1].Text = "paid 1"
	fmt.Println(Broken(log))
}
