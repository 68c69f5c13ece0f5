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

type Entry struct {
	Text string
	Hash [sha256.Size]byte
}

// Log is a chain: each hash covers the one before, so an entry that was changed,
// moved or taken out is found. Keep the last hash elsewhere: without it the end can
// be cut off, or everything hashed again.
type Log []Entry

func (l *Log) Append(text string) { *l = append(*l, Entry{text, l.next(text)}) }

func (l Log) next(text string) [sha256.Size]byte {
	var previous [sha256.Size]byte
	if len(l) > 0 {
		previous = l[len(l)-1].Hash
	}
	return sha256.Sum256(append(previous[:], text...))
}

// Broken returns the index of the first entry that does not fit the one before it, or -1.
func (l Log) Broken() int {
	for i, e := range l {
		if e.Hash != l[:i].next(e.Text) {
			return i
		}
	}
	return -1
}

// snippet:usage
// snippet:prints -1
// snippet:prints 1 1 1
func main() {
	var log Log
	for _, t := range []string{"opened", "paid 10", "refunded 10", "closed"} {
		log.Append(t)
	}
	fmt.Println(log.Broken())
	// snippet:measures an entry that was changed, moved or taken out is found
	changed := append(Log(nil), log...)
	changed[1].Text = "paid 1"
	moved := append(Log(nil), log...)
	moved[1], moved[2] = moved[2], moved[1]
	fmt.Println(changed.Broken(), moved.Broken(), append(log[:1:1], log[2:]...).Broken())
}
