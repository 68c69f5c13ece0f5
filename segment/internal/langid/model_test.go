package langid

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// small is a model with random weights over the features of a few texts.
func small(t *testing.T, labels int) (m *Model, features []uint32, weights, bias []float32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	common := []uint32{WordHash("func"), WordHash("return")}
	slices.Sort(common)
	features = NewExtractor(common).Append(nil, "func f(a int) int {\n\treturn a + 1\n}\nSELECT * FROM t WHERE a = 'b';\n")
	slices.Sort(features)
	features = slices.Compact(features)
	for range features {
		spread := rng.Float64()
		for range labels {
			weights = append(weights, float32(rng.NormFloat64()*spread))
		}
	}
	names := make([]string, labels)
	for i := range names {
		names[i] = string(rune('a' + i))
		bias = append(bias, float32(rng.NormFloat64()))
	}
	const units = 5
	var layer Layer
	for range units * labels {
		layer.In = append(layer.In, float32(rng.NormFloat64()/10))
		layer.Out = append(layer.Out, float32(rng.NormFloat64()/10))
	}
	for range units {
		layer.Bias = append(layer.Bias, float32(rng.NormFloat64()))
	}
	for range labels {
		layer.After = append(layer.After, float32(rng.NormFloat64()))
		layer.Short = append(layer.Short, float32(rng.NormFloat64()))
	}
	m, err := New(Header{Labels: names, Temperatures: []float32{1}}, common, features, weights, bias, layer)
	require.NoError(t, err)
	return m, features, weights, bias
}

func TestScoresAreTheSumOfTheWeightsUpToQuantisation(t *testing.T) {
	m, features, weights, bias := small(t, 37)
	const code = "func f(a int) int {\n\treturn a + 1\n}"
	want := make([]float32, 37)
	found := slices.Compact(slices.Sorted(slices.Values(m.ex.Append(nil, code))))
	n := 0
	for _, f := range found {
		if i, ok := slices.BinarySearch(features, f); ok {
			n++
			for j := range want {
				want[j] += weights[37*i+j]
			}
		}
	}
	require.Greater(t, n, 50)
	for j := range want {
		want[j] = bias[j] + want[j]/float32(math.Sqrt(float64(n)))
	}
	want = layered(&m.layer, want, n)
	logSoftmax(want)
	got := m.Scores(new(Scratch), code, nil)
	// A weight is off by at most half a unit of its row, a sum by the square root of their number.
	for j := range want {
		require.InDelta(t, want[j], got[j], 0.25, "label %d", j)
	}
}

// layered is what a layer makes of logits of code with so many features, by its definition.
func layered(l *Layer, z []float32, features int) []float32 {
	var mean float32
	for _, v := range z {
		mean += v / float32(len(z))
	}
	out := slices.Clone(z)
	for j, b := range l.Bias {
		h := b
		for i, v := range z {
			h += l.In[j*len(z)+i] * (v - mean) * InputScale
		}
		for i := range out {
			out[i] += max(h, 0) * l.Out[j*len(z)+i]
		}
	}
	for i, v := range l.After {
		out[i] += v + l.Short[i]*ShortShare(features)
	}
	return out
}

func TestTheLayerSeesNothingOfWhatAllLabelsHaveInCommon(t *testing.T) {
	m, _, _, _ := small(t, 37)
	z, shifted := make([]float32, 40), make([]float32, 40)
	for i := range 37 {
		z[i] = float32(i%7) - 2
		shifted[i] = z[i] + 100
	}
	want := layered(&m.layer, z[:37], 100)
	m.layer.apply(z, make([]float32, 40), make([]float32, 5), 100)
	m.layer.apply(shifted, make([]float32, 40), make([]float32, 5), 100)
	for i := range 37 {
		require.InDelta(t, want[i], z[i], 1e-4)
		require.InDelta(t, z[i]+100, shifted[i], 1e-3)
	}
}

func TestLongCodeGetsLessOfWhatIsForShortCode(t *testing.T) {
	require.InDelta(t, 1, ShortShare(0), 0)
	require.InDelta(t, 1, ShortShare(40), 0)
	require.InDelta(t, 0.5, ShortShare(80), 1e-6)
	require.Less(t, ShortShare(2000), float32(0.03))
}

func TestALayerOfAnotherSizeIsRefused(t *testing.T) {
	_, err := New(Header{Labels: []string{"a", "b"}, Temperatures: []float32{1}}, nil, nil, nil, []float32{0, 0}, Layer{After: []float32{0}})
	require.ErrorContains(t, err, "layer is not one for 2 labels")
}

func TestAFileDecodesToTheModelItWasWrittenFrom(t *testing.T) {
	m, _, _, _ := small(t, 104)
	file, err := m.Encode()
	require.NoError(t, err)
	again, err := Decode(file)
	require.NoError(t, err)
	require.Equal(t, m.header, again.header)
	const code = "SELECT a FROM t;"
	require.Equal(t, m.Scores(new(Scratch), code, nil), again.Scores(new(Scratch), code, nil))
	_, err = Decode(file[:len(file)-1])
	require.ErrorContains(t, err, "langid: the model file is damaged")
}

func TestTheEmbeddedFileIsWhatItsModelIsWrittenTo(t *testing.T) {
	again, err := Default().Encode()
	require.NoError(t, err)
	require.True(t, bytes.Equal(embedded, again))
}

func TestEveryFeatureIsFoundInItsRowAndNoOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var sorted []uint32
	for range 5000 {
		sorted = append(sorted, rng.Uint32())
	}
	sorted = append(sorted, 0, math.MaxUint32)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	x := NewIndex(sorted)
	for i, f := range sorted {
		require.EqualValues(t, i, x.Row(f))
	}
	for range 20000 {
		f := rng.Uint32()
		if _, ok := slices.BinarySearch(sorted, f); !ok {
			require.EqualValues(t, -1, x.Row(f))
		}
	}
}

func TestLocatingIsTheSameInGoAndAssembly(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	sorted := make([]uint32, 1000)
	for i := range sorted {
		sorted[i] = rng.Uint32()
	}
	slices.Sort(sorted)
	sorted = slices.Compact(append([]uint32{0}, sorted...))
	x := NewIndex(sorted)
	for _, n := range []int{0, 1, 7, 5000} {
		features := make([]uint32, n)
		for i := range features {
			features[i] = rng.Uint32()
			if rng.IntN(2) == 0 {
				features[i] = sorted[rng.IntN(len(sorted))]
			}
		}
		want, got := make([]candidate, n), make([]candidate, n)
		var r, s recent
		r.reset()
		s.reset()
		want = want[:x.locateGeneric(want, features, &r)]
		got = got[:x.locate(got, features, &s)]
		require.Equal(t, want, got, "%d features", n)
		for _, f := range features {
			if x.Row(f) >= 0 {
				require.True(t, slices.ContainsFunc(got, func(c candidate) bool { return c.feature == f }))
			}
		}
	}
}

func TestAddingIsTheSameWithAndWithoutVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rows := make([]row, 300)
	for i := range rows {
		rows[i].scale = byte(1 + rng.IntN(maxScale))
		for j := range rows[i].weights {
			rows[i].weights[j] = byte(rng.Uint32())
		}
	}
	rows[0].scale = maxScale
	copy(rows[0].weights[:], slices.Repeat([]byte{0xff}, maxLabels/2))
	for _, n := range []int{0, 1, 2, 3, burst - 1, burst, burst + 1, 1000} {
		index := make([]uint32, n)
		for i := range index {
			index[i] = uint32(rng.IntN(300))
		}
		if n == 1000 {
			clear(index) // the largest sums that there can be
		}
		var want, generic, vector sums
		for _, r := range index {
			row := rows[r]
			for label := range want {
				want[label] += uint32(row.scale) * uint32(row.weights[label/2]>>(4*(label&1))&15)
			}
		}
		generic.addGeneric(rows, index)
		vector.add(rows, index)
		require.Equal(t, want, generic, "%d rows", n)
		require.Equal(t, want, vector, "%d rows", n)
	}
}

func TestTheLayerIsTheSameWithAndWithoutVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	numbers := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(rng.NormFloat64())
		}
		return out
	}
	for _, units := range []int{0, 1, 64} {
		for _, width := range []int{vector, 152} {
			rows, x := numbers(units*width), numbers(width)
			got, want := make([]float32, units), make([]float32, units)
			dots(got, rows, x)
			dotsGeneric(want, rows, x)
			require.Equal(t, want, got, "%d rows of %d", units, width)
			row, z := numbers(width), numbers(width)
			plain := slices.Clone(z)
			axpy(z, row, 1.5)
			axpyGeneric(plain, row, 1.5)
			require.Equal(t, plain, z)
		}
	}
}
