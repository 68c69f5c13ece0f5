package seal

import (
	"encoding/binary"
	"time"
)

// AppendText appends s after its length (uvarint).
func AppendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// AppendTime appends a time in Unix seconds (4), zero for none.
func AppendTime(dst []byte, t time.Time) []byte {
	seconds := int64(0)
	if !t.IsZero() {
		seconds = t.Unix()
	}
	return binary.BigEndian.AppendUint32(dst, uint32(seconds))
}

// Reader reads the fields of a plaintext one after the other. Whatever it reads after it has
// Failed is empty.
type Reader struct {
	Rest   []byte
	Failed bool // a field was longer than what is left
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

// Text reads what [AppendText] wrote.
func (r *Reader) Text() string {
	length, n := binary.Uvarint(r.Rest)
	if r.Failed = r.Failed || n <= 0 || length > uint64(len(r.Rest)-n); r.Failed {
		return ""
	}
	r.Rest = r.Rest[n:]
	return string(r.Bytes(int(length)))
}

// Time reads what [AppendTime] wrote.
func (r *Reader) Time() time.Time {
	b := r.Bytes(4)
	if r.Failed || binary.BigEndian.Uint32(b) == 0 {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint32(b)), 0)
}
