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
func Default() *Model { return decoded() }

var decoded = sync.OnceValue(func() *Model {
	m, err := Decode(embedded)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return m
})

// EmbeddedChecksum is the SHA-256 of the embedded model's file, in hexadecimal.
func EmbeddedChecksum() string { return modelfile.Checksum(embedded) }

// Model is a trained model: networks that were trained apart and whose scores are averaged (an ensemble; Hansen and
// Salamon, "Neural Network Ensembles", 1990). It is safe for concurrent use.
type Model struct {
	header   Header
	networks []*network
}

// network is one of the networks of a model.
type network struct {
	table        []int8 // Rows × Dim
	contentScale [Dim]float32
	layoutScale  [Dim]float32
	dense        *Dense
}

// Parameters are what a network has learnt.
type Parameters struct {
	Table []float32 // Rows × Dim
	Dense *Dense
}

// Header tells where a model comes from.
type Header struct {
	Version   int      `json:"version"`
	Corpus    string   `json:"corpus"`            // SHA-256 of the training files of the corpus
	Synthetic string   `json:"written,omitempty"` // SHA-256 of the synthetic training texts
	Seed      uint64   `json:"seed"`
	Epochs    int      `json:"epochs"`
	Networks  int      `json:"networks"`
	Licenses  []string `json:"licenses"` // of the training data
}

// Version is the version of features, network and file format that this package reads.
const Version = 3

var magic = modelfile.Magic([]byte("segment/lines\x00\x00\x00"))

// New quantises trained parameters.
func New(h Header, networks ...Parameters) *Model {
	m := &Model{header: h}
	m.header.Version, m.header.Networks = Version, len(networks)
	for _, p := range networks {
		n := &network{table: make([]int8, Rows*Dim), dense: p.Dense}
		quantise(n.table[:ContentRows*Dim], p.Table[:ContentRows*Dim], &n.contentScale)
		quantise(n.table[ContentRows*Dim:], p.Table[ContentRows*Dim:], &n.layoutScale)
		m.networks = append(m.networks, n)
	}
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

// The parameters in the file, network by network: scales and dense parameters as little-endian float32, and the table.

// Encode writes the model's file.
func (m *Model) Encode() ([]byte, error) {
	file, err := magic.Encode(m.header, func(b []byte) []byte {
		for _, n := range m.networks {
			for _, part := range n.floats() {
				for _, v := range part {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
				}
			}
			for _, v := range n.table {
				b = append(b, byte(v))
			}
		}
		return b
	})
	if err != nil {
		return nil, fmt.Errorf("linetag: %w", err)
	}
	return file, nil
}

func (n *network) floats() [][]float32 {
	return append([][]float32{n.contentScale[:], n.layoutScale[:]}, n.dense.Slices()...)
}

// Decode reads a model's file. A file of another version, a damaged or a truncated one is an error.
func Decode(file []byte) (*Model, error) {
	m := &Model{}
	body, err := magic.Decode(file, Version, &m.header)
	if err != nil {
		return nil, fmt.Errorf("linetag: %w", err)
	}
	size := Rows * Dim
	for _, part := range (&network{dense: NewDense()}).floats() {
		size += 4 * len(part)
	}
	if count := m.header.Networks; count < 1 || len(body)/size != count || len(body)%size != 0 {
		return nil, fmt.Errorf("linetag: the model file has %d bytes of parameters for %d networks of %d bytes", len(body), count, size)
	}
	for len(body) > 0 {
		n := &network{dense: NewDense(), table: make([]int8, Rows*Dim)}
		for _, part := range n.floats() {
			for i := range part {
				part[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
			}
			body = body[4*len(part):]
		}
		for i := range n.table {
			n.table[i] = int8(body[i])
		}
		body = body[len(n.table):]
		m.networks = append(m.networks, n)
	}
	return m, nil
}
