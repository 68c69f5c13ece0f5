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
}

// ShortShare is the part of [Layer.Short] that is added for code with n known features: all for a short statement. What many
// languages write alike is in a common one; a file in a rare language is as it is.
func ShortShare(n int) float32 { return min(1, statement/float32(max(n, 1))) }

// statement is the number of features of a short statement: `x = f(a)` has about thirty.
const statement = 40

// InputScale is what the first logits, without their mean, are multiplied by before the layer sees them.
const InputScale = 0.25

// apply adds to z, the first logits of code with so many features, what the layer says; x is scratch of the same length.
func (l *Layer) apply(z, x []float32, features int) {
	n := len(z)
	var sum float32
	for _, v := range z {
		sum += v
	}
	mean := sum / float32(n)
	for i, v := range z {
		x[i] = float32((v - mean) * InputScale)
	}
	for j, b := range l.Bias {
		if h := b + dot(l.In[j*n:j*n+n], x); h > 0 {
			for i, w := range l.Out[j*n : j*n+n] {
				z[i] += float32(h * w)
			}
		}
	}
	share := ShortShare(features)
	for i, v := range l.After {
		z[i] += v + float32(l.Short[i]*share)
	}
}

// dot is the sum of the products of a and b. Each product is rounded, so that the result is the same on every processor.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
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

// readFloats reads n values and returns the rest.
func readFloats(b []byte, n int) (values []float32, rest []byte, err error) {
	if n < 0 || n > len(b)/4 {
		return nil, nil, errTruncated
	}
	values = make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values, b[4*n:], nil
}

// readLayer reads a layer of some units for n labels and returns the rest.
func readLayer(b []byte, units, n int) (l Layer, rest []byte, err error) {
	if units < 0 || units > len(b) {
		return l, nil, errTruncated
	}
	for _, part := range []struct {
		values *[]float32
		length int
	}{{&l.In, units * n}, {&l.Bias, units}, {&l.Out, units * n}, {&l.After, n}, {&l.Short, n}} {
		if *part.values, b, err = readFloats(b, part.length); err != nil {
			return l, nil, err
		}
	}
	return l, b, nil
}
