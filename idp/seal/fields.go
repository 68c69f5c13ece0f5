package seal

import (
	"encoding/binary"
	"time"
)

// flagBytes is how many bytes of flags a plaintext begins with.
const flagBytes = 2

// Writer writes a plaintext: its fields one after the other, behind flags that say which of the
// optional ones are there. A [Reader] reads them in the same order.
type Writer struct {
	// B is the plaintext. What is appended to it is a field without a length: one of a known
	// length, or the last one.
	B     []byte
	flags int
}

// NewWriter is a writer of a plaintext without fields so far.
func NewWriter() *Writer {
	const usual = 160 // enough for a login
	return &Writer{B: make([]byte, flagBytes, usual)}
}

// Flag writes the next of 16 flags, and returns it: if w.Flag(has) { write the field }.
func (w *Writer) Flag(set bool) bool {
	if flags := w.B[:flagBytes]; set {
		flags[w.flags/8] |= 1 << (w.flags % 8)
	}
	w.flags++
	return set
}

// Text writes s after its length (uvarint).
func (w *Writer) Text(s string) {
	w.B = append(binary.AppendUvarint(w.B, uint64(len(s))), s...)
}

// Time writes t in Unix seconds, in four bytes; zero stands for the zero time.
func (w *Writer) Time(t time.Time) {
	seconds := int64(0)
	if !t.IsZero() {
		seconds = t.Unix()
	}
	w.B = binary.BigEndian.AppendUint32(w.B, uint32(seconds))
}

// Reader reads the fields of a plaintext one after the other. Whatever it reads after it has
// Failed is empty.
type Reader struct {
	Rest   []byte
	Failed bool // a field was longer than what is left
	flags  uint16
}

// NewReader reads what a [Writer] wrote.
func NewReader(plaintext []byte) *Reader {
	r := &Reader{Rest: plaintext}
	if b := r.Bytes(flagBytes); !r.Failed {
		r.flags = binary.LittleEndian.Uint16(b)
	}
	return r
}

// Flag reads the next flag.
func (r *Reader) Flag() bool {
	set := r.flags&1 != 0
	r.flags >>= 1
	return set
}

// Bytes reads n bytes.
func (r *Reader) Bytes(n int) []byte {
	if r.Failed = r.Failed || len(r.Rest) < n; r.Failed {
		return nil
	}
	field := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return field
}

// Text reads what [Writer.Text] wrote.
func (r *Reader) Text() string {
	length, n := binary.Uvarint(r.Rest)
	if r.Failed = r.Failed || n <= 0 || length > uint64(len(r.Rest)-n); r.Failed {
		return ""
	}
	r.Rest = r.Rest[n:]
	return string(r.Bytes(int(length)))
}

// Time reads what [Writer.Time] wrote.
func (r *Reader) Time() time.Time {
	b := r.Bytes(4)
	if r.Failed || binary.BigEndian.Uint32(b) == 0 {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint32(b)), 0)
}
