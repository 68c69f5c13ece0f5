// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/crypto/sha256 crypto/sha256
// snippet:prints -1
// snippet:prints 1

// snippet:check
import "crypto/sha256"
import "encoding/binary"
import "fmt"

// snippet:end
type Entry struct {
	Text string
	Hash [sha256.Size]byte
}

// link covers the previous hash: no entry can be moved or dropped unseen.
func link(prev [sha256.Size]byte, text string) [sha256.Size]byte {
	data := binary.BigEndian.AppendUint64(prev[:], uint64(len(text)))
	return sha256.Sum256(append(data, text...))
}

func Append(log []Entry, text string) []Entry {
	var prev [sha256.Size]byte
	if len(log) > 0 {
		prev = log[len(log)-1].Hash
	}
	return append(log, Entry{text, link(prev, text)})
}

// Broken returns the index of the first changed entry, or -1.
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

// snippet:check
func main() {
	var log []Entry
	for _, t := range []string{"opened", "paid 10", "closed"} {
		log = Append(log, t)
	}
	fmt.Println(Broken(log))
	log[1].Text = "paid 1"
	fmt.Println(Broken(log))
}
