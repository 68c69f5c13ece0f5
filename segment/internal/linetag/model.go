package linetag

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/modelfile"
)

//go:generate go -C ../../train run ./cmd/train linetag -out ../internal/linetag/model.bin

//go:embed model.bin
var embedded []byte

// Default is the embedded model, decoded on first use.
var Default = sync.OnceValue(func() *Model {
	m, err := Decode(embedded)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return m
})

// Model is a trained model; it is safe for concurrent use.
type Model struct {
	header       Header
	table        []int8 // Rows × Dim
	contentScale [Dim]float32
	layoutScale  [Dim]float32
	dense        *Dense
}

// Header tells where a model comes from.
type Header struct {
	Version   int      `json:"version"`
	Corpus    string   `json:"corpus"`            // SHA-256 of the training files of the corpus
	Synthetic string   `json:"written,omitempty"` // SHA-256 of the synthetic training texts
	Seed      uint64   `json:"seed"`
	Epochs    int      `json:"epochs"`
	Licenses  []string `json:"licenses"` // of the training data
}

// Version is the version of features, network and file format that this package reads.
const Version = 1

var magic = modelfile.Magic([]byte("segment/lines\x00\x00\x00"))

// Header is the header of the file that the model was decoded from.
func (m *Model) Header() Header { return m.header }

// New quantises trained parameters. table has Rows × Dim values.
func New(h Header, table []float32, dense *Dense) *Model {
	m := &Model{header: h, table: make([]int8, Rows*Dim), dense: dense}
	m.header.Version = Version
	quantise(m.table[:ContentRows*Dim], table[:ContentRows*Dim], &m.contentScale)
	quantise(m.table[ContentRows*Dim:], table[ContentRows*Dim:], &m.layoutScale)
	return m
}

// quantise stores a part of the table in bytes, with one scale for each dimension.
func quantise(dst []int8, src []float32, scale *[Dim]float32) {
	for j := range scale {
		var most float32
		for i := j; i < len(src); i += Dim {
			most = max(most, float32(math.Abs(float64(src[i]))))
		}
		if most == 0 {
			continue
		}
		scale[j] = most / 127
		for i := j; i < len(src); i += Dim {
			dst[i] = int8(math.Round(float64(src[i] / scale[j])))
		}
	}
}

// The parameters in the file: scales and dense parameters as little-endian float32, and the table.

// Encode writes the model's file.
func (m *Model) Encode() ([]byte, error) {
	file, err := magic.Encode(m.header, func(b []byte) []byte {
		for _, part := range m.floats() {
			for _, v := range part {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
		}
		for _, v := range m.table {
			b = append(b, byte(v))
		}
		return b
	})
	if err != nil {
		return nil, fmt.Errorf("linetag: %w", err)
	}
	return file, nil
}

func (m *Model) floats() [][]float32 {
	return append([][]float32{m.contentScale[:], m.layoutScale[:]}, m.dense.Slices()...)
}

// Decode reads a model's file. A file of another version, a damaged or a truncated one is an error.
func Decode(file []byte) (*Model, error) {
	m := &Model{dense: NewDense()}
	body, err := magic.Decode(file, Version, &m.header)
	if err != nil {
		return nil, fmt.Errorf("linetag: %w", err)
	}
	want := Rows * Dim
	for _, part := range m.floats() {
		want += 4 * len(part)
	}
	if len(body) != want {
		return nil, fmt.Errorf("linetag: the model file has %d bytes of parameters, want %d", len(body), want)
	}
	for _, part := range m.floats() {
		for i := range part {
			part[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
		}
		body = body[4*len(part):]
	}
	m.table = make([]int8, len(body))
	for i, v := range body {
		m.table[i] = int8(v)
	}
	return m, nil
}
