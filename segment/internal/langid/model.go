// Package langid names the language of a piece of code: a linear classifier over hashed features of bytes, words, shapes of
// tokens and lines, with four bits for each weight, and a small layer of rectified linear units behind it. Work and memory are
// bounded, whatever the code.
package langid

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/modelfile"
)

//go:generate go -C ../../train run ./cmd/train langid -out ../internal/langid/model.bin

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

// Header tells what a model is and where it comes from.
type Header struct {
	Version   int      `json:"version"`
	Labels    []string `json:"labels"`            // in the order of labels.json
	Corpus    string   `json:"corpus"`            // SHA-256 of the training files of the corpus
	Synthetic string   `json:"written,omitempty"` // SHA-256 of the synthetic training texts
	Seed      uint64   `json:"seed"`
	Licenses  []string `json:"licenses"` // of the training data
	Common    int      `json:"common"`   // number of words of the common vocabulary
	Features  int      `json:"features"` // number of features with a row of weights
	Hidden    int      `json:"hidden"`   // number of units of the layer behind
	Step      float32  `json:"step"`     // the value of one unit of a row's scale
	// Temperatures divide the scores; they depend on the number of features found, by its binary logarithm. They make the scores
	// probabilities.
	Temperatures []float32 `json:"temperatures"`
}

// Version is the version of features and file format that this package reads.
const Version = 4

var magic = modelfile.Magic([]byte("segment/lang\x00\x00\x00\x00"))

// maxLabels is the number of labels that a row has room for.
const maxLabels = 158

// row holds the weights of a feature: for each label a value of four bits, times the scale, times Step. What all labels have in
// common cancels out, so there is no zero point. It has the length of two vectors and a half.
type row struct {
	weights [maxLabels / 2]byte
	scale   byte
}

// storedRow is the length of a row for n labels in the file: scale and weights.
func storedRow(n int) int { return 1 + (n+1)/2 }

// EmbeddedChecksum is the SHA-256 of the embedded model's file, in hexadecimal.
func EmbeddedChecksum() string { return modelfile.Checksum(embedded) }

// Model is a trained model; it is safe for concurrent use.
type Model struct {
	header Header
	ex     *Extractor
	index  Index
	rows   []row     // in the order of the features
	bias   []float32 // one for each label
	layer  Layer
}

// Labels are the labels that the model knows, in the order of its scores.
func (m *Model) Labels() []string { return m.header.Labels }

// New quantises trained parameters: common is the common vocabulary, sorted; features are the features, sorted; weights has a row
// of len(h.Labels) weights for each feature; the layer is behind their sums.
func New(h Header, common, features []uint32, weights, bias []float32, layer Layer) (*Model, error) {
	n := len(h.Labels)
	if n > maxLabels {
		return nil, fmt.Errorf("langid: %d labels, the format has room for %d", n, maxLabels)
	}
	if units := len(layer.Bias); len(layer.In) != units*n || len(layer.Out) != units*n || len(layer.After) != n || len(layer.Short) != n {
		return nil, fmt.Errorf("langid: the layer is not one for %d labels", n)
	}
	h.Version, h.Common, h.Features, h.Hidden = Version, len(common), len(features), len(layer.Bias)
	// The rows with the widest range get the largest scale; the few beyond four standard deviations are cut.
	var sum, sq float64
	ranges := make([]float64, len(features))
	for i := range features {
		low, high := bounds(weights[i*n : i*n+n])
		ranges[i] = float64(high - low)
		sum += ranges[i]
		sq += ranges[i] * ranges[i]
	}
	count := float64(max(len(features), 1))
	widest := sum/count + 4*math.Sqrt(max(sq/count-sum*sum/count/count, 0))
	h.Step = float32(widest / (15 * maxScale))
	m := &Model{header: h, bias: bias, layer: layer, rows: make([]row, len(features))}
	m.layer.pad(n)
	m.ex = NewExtractor(common)
	m.index = NewIndex(features)
	for i := range features {
		m.rows[i] = quantise(weights[i*n:i*n+n], ranges[i], float64(h.Step))
	}
	return m, nil
}

func bounds(row []float32) (low, high float32) {
	low, high = row[0], row[0]
	for _, w := range row {
		low, high = min(low, w), max(high, w)
	}
	return low, high
}

func quantise(weights []float32, width, step float64) (r row) {
	scale := math.Ceil(width/(15*step) - 1e-9)
	scale = min(max(scale, 1), maxScale)
	r.scale = byte(scale)
	_, high := bounds(weights)
	for i, w := range weights {
		q := 15 - math.Round(float64(high-w)/(scale*step))
		r.weights[i/2] |= byte(max(q, 0)) << (4 * (i & 1))
	}
	return r
}

// The parameters in the file: biases and layer as little-endian float32, common vocabulary, features (both sorted, as
// variable-length differences), and the rows.

// Encode writes the model's file.
func (m *Model) Encode() ([]byte, error) {
	file, err := magic.Encode(m.header, func(b []byte) []byte {
		b = appendFloats(b, m.bias)
		b = m.layer.append(b)
		b = appendSorted(b, m.ex.common.words)
		b = appendSorted(b, m.index.sorted)
		length := storedRow(len(m.header.Labels)) - 1
		for i := range m.index.sorted {
			b = append(append(b, m.rows[i].scale), m.rows[i].weights[:length]...)
		}
		return b
	})
	if err != nil {
		return nil, fmt.Errorf("langid: %w", err)
	}
	return file, nil
}

func appendSorted(b []byte, values []uint32) []byte {
	last := uint32(0)
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v-last))
		last = v
	}
	return b
}

// parameters are those of a file that are still to be read.
type parameters struct {
	rest []byte
	bad  bool // the file is truncated or not well formed
}

func (p *parameters) floats(n int) []float32 {
	if p.bad = p.bad || n < 0 || n > len(p.rest)/4; p.bad {
		return nil
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(p.rest[4*i:]))
	}
	p.rest = p.rest[4*n:]
	return values
}

// sorted reads n values written by appendSorted.
func (p *parameters) sorted(n int) []uint32 {
	if p.bad = p.bad || n < 0 || n > len(p.rest); p.bad {
		return nil
	}
	values := make([]uint32, n)
	last := uint32(0)
	for i := range values {
		d, size := binary.Uvarint(p.rest)
		if size <= 0 || d > math.MaxUint32 || (i > 0 && d == 0) || last+uint32(d) < last {
			p.bad = true
			return nil
		}
		last += uint32(d)
		values[i] = last
		p.rest = p.rest[size:]
	}
	return values
}

var errTruncated = errors.New("langid: the model file is truncated or not well formed")

// Decode reads a model's file. A file of another version, a damaged or a truncated one is an error.
func Decode(file []byte) (*Model, error) {
	m := new(Model)
	body, err := magic.Decode(file, Version, &m.header)
	if err != nil {
		return nil, fmt.Errorf("langid: %w", err)
	}
	h, p := &m.header, parameters{rest: body}
	n, units := len(h.Labels), h.Hidden
	if n == 0 || n > maxLabels || len(h.Temperatures) == 0 || units < 0 || units > len(body) {
		return nil, errTruncated
	}
	m.bias = p.floats(n)
	m.layer = Layer{In: p.floats(units * n), Bias: p.floats(units), Out: p.floats(units * n), After: p.floats(n), Short: p.floats(n)}
	common, features := p.sorted(h.Common), p.sorted(h.Features)
	length := storedRow(n)
	if body = p.rest; p.bad || len(body) != len(features)*length {
		return nil, errTruncated
	}
	m.layer.pad(n)
	m.ex, m.index, m.rows = NewExtractor(common), NewIndex(features), make([]row, len(features))
	for i := range features {
		r, stored := &m.rows[i], body[i*length:(i+1)*length]
		r.scale = stored[0]
		copy(r.weights[:], stored[1:])
	}
	return m, nil
}
