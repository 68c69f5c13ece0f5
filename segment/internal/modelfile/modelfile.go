// Package modelfile is what the files of all models have in common: a magic number, the length of the header, the header as JSON,
// the parameters, and the SHA-256 of all before it. Integers are little-endian.
package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Magic begins the files of one kind of model and tells them from others.
type Magic [16]byte

// Encode returns the file with this header and what appendParameters appends to it. The error is that of a header that has no
// JSON.
func (m Magic) Encode(header any, appendParameters func([]byte) []byte) ([]byte, error) {
	h, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("header of the model file: %w", err)
	}
	b := binary.LittleEndian.AppendUint32(m[:], uint32(len(h)))
	b = appendParameters(append(b, h...))
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// Checksum is the SHA-256 with which a file ends, in hexadecimal. It tells files that differ apart.
func Checksum(file []byte) string { return hex.EncodeToString(file[len(file)-sha256.Size:]) }

// Decode reads the header of file into header and returns the parameters, which are a part of file. A file of another kind or
// version, a damaged or a truncated one is an error.
func (m Magic) Decode(file []byte, version int, header any) (parameters []byte, err error) {
	if !bytes.HasPrefix(file, m[:]) || len(file) < len(m)+4+sha256.Size {
		return nil, fmt.Errorf("not a model file")
	}
	body := file[:len(file)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], file[len(body):]) {
		return nil, fmt.Errorf("the model file is damaged: its checksum does not match")
	}
	size := uint64(binary.LittleEndian.Uint32(body[len(m):]))
	body = body[len(m)+4:]
	if size > uint64(len(body)) {
		return nil, fmt.Errorf("the model file is truncated")
	}
	var given struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(body[:size], &given); err != nil {
		return nil, fmt.Errorf("header of the model file: %w", err)
	}
	if given.Version != version {
		return nil, fmt.Errorf("the model file has version %d, this program reads version %d: train it again", given.Version, version)
	}
	if err := json.Unmarshal(body[:size], header); err != nil {
		return nil, fmt.Errorf("header of the model file: %w", err)
	}
	return body[size:], nil
}
