package linetagtrain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// extract fills f from a text without markup.
func extract(f *linetag.Features, text string) {
	var s structure
	s.parse(text, nil, false)
	f.Extract(text, s.lines, s.hints)
}

// The gradients are those of the loss: each parameter moved a little changes the loss as its gradient says.
func TestGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	table := make([]float32, linetag.Rows*linetag.Dim)
	dense, grad := linetag.NewDense(), linetag.NewDense()
	initialise(table, dense, r)
	text := "Hello, this is a test.\n\n  int x = 3;\n  y(x);\nAnd so on, as they say.\n\n$ make\nok"
	e := &example{weight: 1, labels: []truth{isText, isCode, isCode, isText, isUnknown, isCode}}
	extract(&e.features, text)
	e.rows = e.features.Place(nil, 1)
	loss := func() float64 {
		e.forward(table, dense)
		matrices := transpose(dense)
		e.backward(dense, &matrices, linetag.NewDense())
		return e.loss
	}
	e.forward(table, dense)
	matrices := transpose(dense)
	e.backward(dense, &matrices, grad)
	layout := e.layout[1]

	const h, tolerance = 1e-3, 0.005
	at := loss()
	check := func(name string, p *float32, want float32) {
		old := *p
		*p = old + h
		right := (loss() - at) / h
		*p = old - h
		left := (at - loss()) / h
		*p = old
		// Where a rectifier switches, the slopes of the two sides differ and the gradient is one of them.
		require.GreaterOrEqual(t, float64(want), min(left, right)-tolerance, name)
		require.LessOrEqual(t, float64(want), max(left, right)+tolerance, name)
	}
	slices, grads := dense.Slices(), grad.Slices()
	largest := float32(0)
	for k := range slices {
		for range 40 {
			i := r.IntN(len(slices[k]))
			check(fmt.Sprint("dense ", k, " ", i), &slices[k][i], grads[k][i])
			largest = max(largest, grads[k][i])
		}
	}
	require.Greater(t, largest, float32(0.05), "the test would see a missing gradient")
	// A layout row that line 1 has and no other line: its indentation.
	seen := map[uint32]int{}
	f := &e.features
	for i := range f.Index {
		for _, row := range e.rows[f.Hashed[i]:f.End[i]] {
			seen[row]++
		}
	}
	for _, row := range e.rows[f.Hashed[1]:f.End[1]] {
		if seen[row] == 1 {
			for j := range linetag.Dim {
				check("table", &table[int(row)*linetag.Dim+j], layout[j])
			}
			return
		}
	}
	t.Fatal("no such row")
}
