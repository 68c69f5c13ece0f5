package langid

import (
	"encoding/binary"
	"math"
)

// Layer is a layer of rectified linear units between two sets of logits: it sees the first ones and adds to them. So
// evidence can count in combination: elements in TypeScript make TSX, a rule in a rule makes SCSS of what is CSS otherwise.
type Layer struct {
	In   []float32 // for each unit the weights of the first logits
	Bias []float32 // of the units
	Out  []float32 // for each unit what it adds to the logits
	// After and Short are added to the logits behind the layer: how frequent labels are. What is added of Short falls with
	// the number of features, see [ShortShare].
	After, Short []float32

	in, out []float32 // In and Out with rows of width: behind those of the labels, zeros
	width   int       // number of labels, rounded up to one that kernels take
}

// vector is the number of values that kernels work on at a time.
const vector = 8

// pad makes the layer for n labels ready for use.
func (l *Layer) pad(n int) {
	l.width = (n + vector - 1) / vector * vector
	l.in, l.out = make([]float32, len(l.Bias)*l.width), make([]float32, len(l.Bias)*l.width)
	for j := range l.Bias {
		copy(l.in[j*l.width:], l.In[j*n:j*n+n])
		copy(l.out[j*l.width:], l.Out[j*n:j*n+n])
	}
}

// ShortShare is the part of [Layer.Short] that is added for code with n known features: all for a short statement. What many
// languages write alike is in a common one; a file in a rare language is as it is.
func ShortShare(n int) float32 { return min(1, statement/float32(max(n, 1))) }

// statement is the number of features of a short statement: `x = f(a)` has about thirty.
const statement = 40

// InputScale is what the first logits, without their mean, are multiplied by before the layer sees them.
const InputScale = 0.25

// apply adds to z, the first logits of code with so many features, what the layer says. z has the length of the layer's width, with
// zeros behind the logits; x and h are scratch, x as long as z and h as there are units.
func (l *Layer) apply(z, x, h []float32, features int) {
	n := len(l.After)
	var sum float32
	for _, v := range z[:n] {
		sum += v
	}
	mean := sum / float32(n)
	clear(x[n:])
	for i, v := range z[:n] {
		x[i] = float32((v - mean) * InputScale)
	}
	dots(h, l.in, x)
	for j, b := range l.Bias {
		if v := b + h[j]; v > 0 {
			axpy(z, l.out[j*l.width:(j+1)*l.width], v)
		}
	}
	share := ShortShare(features)
	for i, v := range l.After {
		z[i] += v + float32(l.Short[i]*share)
	}
}

// dotsGeneric is dots without vector instructions. Each product is rounded, and the order of the additions is that of a vector, so that
// the result is the same on every processor.
func dotsGeneric(sums, rows, x []float32) {
	for j := range sums {
		row := rows[j*len(x) : (j+1)*len(x)]
		var s [vector]float32
		for i := 0; i < len(x); i += vector {
			a, b := (*[vector]float32)(row[i:]), (*[vector]float32)(x[i:])
			for k := range s {
				s[k] += float32(a[k] * b[k])
			}
		}
		sums[j] = (s[0] + s[4] + (s[2] + s[6])) + (s[1] + s[5] + (s[3] + s[7]))
	}
}

// axpyGeneric is axpy without vector instructions.
func axpyGeneric(z, row []float32, factor float32) {
	for i, w := range row {
		z[i] += float32(factor * w)
	}
}

// append appends the layer to a file.
func (l *Layer) append(b []byte) []byte {
	for _, part := range [][]float32{l.In, l.Bias, l.Out, l.After, l.Short} {
		b = appendFloats(b, part)
	}
	return b
}

func appendFloats(b []byte, values []float32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}
