package langidtrain

import (
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// toy is a corpus of two made-up languages in eight repositories, each with words of its own.
func toy() *Data {
	d := &Data{Labels: []string{"brace", "end"}}
	for repo := range int32(8) {
		for i := range 20 {
			name := fmt.Sprintf("own%dx%d", repo, i)
			for label, text := range []string{
				"function " + name + "() {\n  return " + name + ";\n}",
				"procedure " + name + " is\n  give " + name + "\nend",
			} {
				d.examples = append(d.examples, example{text: text, label: int32(label), repo: repo})
			}
		}
	}
	return d
}

// small are options for toy.
var small = Options{
	Log: log.New(io.Discard, "", 0), Seed: 1, Features: 50, Hidden: 4, Windows: 1, Fits: 3, WordRepos: 3, FeatureRepos: 3, FirstPasses: 1, Passes: 1,
}

func TestAFoldIsNotFitted(t *testing.T) {
	d := toy()
	d.folds = []int{0, 1, 0, 1, 0, 1, 0, 1}
	d.examples = append(d.examples, example{text: "made", kind: made, repo: 1})
	rest := len(d.examples) - len(d.whole(1).examples)
	weight, n := weights(d, fitOptions{without: 1})
	for i := range d.examples {
		e := &d.examples[i]
		require.Equal(t, e.kind != made && e.repo%2 == 1, weight[i] == 0)
	}
	require.Equal(t, rest, n)
	require.Len(t, order(weight, n, rand.New(rand.NewPCG(1, 1))), rest)
}

func TestWeightsAreTheSameEachTime(t *testing.T) {
	d := toy()
	for i := range d.examples {
		d.examples[i].repo = int32(i * i % 37) // many repositories of different sizes
	}
	first, _ := weights(d, fitOptions{without: none})
	for range 20 {
		again, _ := weights(d, fitOptions{without: none})
		require.Equal(t, first, again)
	}
}

func TestAFitGeneralisesToOtherRepositories(t *testing.T) {
	d := toy()
	s := small
	s.Fits, s.Features, s.Passes = 2, 200, 4
	n := s.fit(s.prepare(d), none)
	require.Len(t, n.features, 200)
	other := &Data{Labels: d.Labels}
	for label, text := range []string{"function zz() {\n  return 1;\n}", "procedure zz is\n  give 1\nend"} {
		other.examples = append(other.examples, example{text: text, label: int32(label)})
	}
	for _, r := range results(n.score(other), len(d.Labels), slices.Repeat([]float32{1}, knots)) {
		require.Equal(t, r.Truth, r.Guess)
		require.Greater(t, r.Confidence, 0.8)
	}
	again := s.fit(s.prepare(toy()), none)
	require.Equal(t, n.W, again.W, "the same corpus and seed must give the same weights")
}

func TestParametersAreTheMeanOfThoseOfTheFits(t *testing.T) {
	d := toy()
	s := small
	p := s.prepare(d)
	var nets []*net
	for run := range uint64(3) {
		n := newNet(len(d.Labels), s.Hidden, p.common, p.features, s.Seed)
		fit(n, p.data, p.rows, fitOptions{passes: s.Passes, windows: perWindow, seed: s.Seed, run: run, without: none})
		nets = append(nets, n)
	}
	require.NotEqual(t, nets[0].W, nets[1].W)
	m := s.fit(p, none)
	for i, values := range m.parameters() {
		for j, v := range values {
			var sum float32
			for _, n := range nets {
				sum += n.parameters()[i][j]
			}
			require.InDelta(t, sum/3, v, 1e-5)
		}
	}
}

func TestCommonVocabularyIsSharedByRepositories(t *testing.T) {
	words := commonWords(toy(), 8)
	for _, w := range []string{"function", "return", "procedure", "is", "give", "end"} {
		require.Contains(t, words, langid.WordHash(w))
	}
	require.Len(t, words, 6)
}

func TestFeaturesOfOneRepositoryAreNoCandidates(t *testing.T) {
	d := toy()
	ex := langid.NewExtractor(nil)
	features := candidates(d, ex, 8)
	require.Contains(t, features, ex.Append(nil, "function")[0])
	require.NotContains(t, features, ex.Append(nil, "own3x7")[0])
	require.Subset(t, features, ex.Append(nil, "procedure")[:3])
}

func TestLabelsOfFewRepositoriesHaveFeaturesOfTheirOwn(t *testing.T) {
	d := &Data{Labels: []string{"rare", "common"}}
	for repo := range int32(4) {
		d.examples = append(d.examples, example{text: "quixotic", label: 0, repo: repo})
	}
	d.examples = append(d.examples, example{text: "unheard", label: 0, repo: 3})
	for repo := range int32(30) {
		d.examples = append(d.examples, example{text: "plain", label: 1, repo: 4 + repo})
	}
	for repo := range int32(3) {
		d.examples = append(d.examples, example{text: "seldom", label: 1, repo: 34 + repo})
	}
	ex := langid.NewExtractor(nil)
	features := candidates(d, ex, 10)
	word := func(w string) uint32 { return ex.Append(nil, w)[3] }
	require.Contains(t, features, word("plain"))
	require.Contains(t, features, word("quixotic"), "half of the repositories of the label have it")
	require.NotContains(t, features, word("unheard"))
	require.NotContains(t, features, word("seldom"))
}

func TestWindowsOfAHeredocHaveItsBeginning(t *testing.T) {
	d := &Data{Labels: []string{"shell"}, examples: []example{{text: "cat <<EOF > app.yaml\nruntime: python\ninstances: two\nhandlers: none\nEOF"}}}
	windows := 0
	for _, e := range withWindows(d, 60, 1).examples[1:] {
		windows++
		require.Contains(t, e.text, "<<EOF")
	}
	require.Positive(t, windows)
}

func TestABagHoldsEachFeatureOnce(t *testing.T) {
	ex := langid.NewExtractor(nil)
	features := ex.Append(nil, "a = 1;")
	slices.Sort(features)
	x := langid.NewIndex(slices.Compact(features))
	b := gather([]example{{text: strings.Repeat("a = 1;\n", 30)}, {text: "a = 1;"}}, ex, &x)
	require.Len(t, b, 2)
	require.Len(t, b[1], x.Len(), "all features of the second have a row")
	for i := range b {
		seen := map[uint32]bool{}
		for _, f := range b[i] {
			require.False(t, seen[f])
			seen[f] = true
		}
		require.NotEmpty(t, seen)
	}
}

// The gradient that moves the hidden layer, and the one that it hands back, are those of the loss.
func TestTheGradientOfTheHiddenLayer(t *testing.T) {
	n := newNet(8, 6, nil, []uint32{1, 2, 3}, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, part := range [][]float32{n.W, n.head.out, n.head.bias} {
		for i := range part {
			part[i] = float32(rng.NormFloat64())
		}
	}
	bag := []uint32{0, 2}
	z, x := make([]float32, n.D), make([]float32, n.D)
	const truth = 3
	loss := func() float64 {
		n.forward(bag, z, x, 1)
		p := slices.Clone(z)
		langid.Softmax(p)
		return -math.Log(float64(p[truth]))
	}
	check := func(weight *float32, gradient float32) {
		t.Helper()
		const step = 1e-2
		was := *weight
		*weight = was + step
		above := loss()
		*weight = was - step
		below := loss()
		*weight = was
		require.InDelta(t, (above-below)/(2*step), gradient, 2e-2)
	}
	loss()
	g, seen := slices.Clone(z), slices.Clone(x)
	langid.Softmax(g)
	g[truth]--
	before := slices.Clone(n.head.in)
	out, bias := slices.Clone(n.head.out), slices.Clone(n.head.bias)
	n.backward(g, seen, make([]float32, n.D), 1)
	in, moved, shifted := slices.Clone(n.head.in), slices.Clone(n.head.out), slices.Clone(n.head.bias)
	copy(n.head.in, before)
	copy(n.head.out, out)
	copy(n.head.bias, bias)
	for i := range in {
		check(&n.head.in[i], before[i]-in[i])
		check(&n.head.out[i], out[i]-moved[i])
	}
	for i := range bias {
		check(&n.head.bias[i], bias[i]-shifted[i])
	}
	norm := float32(1 / math.Sqrt(2))
	for i := range n.D {
		check(&n.row(2)[i], g[i]*norm)
	}
}

func TestRepositoriesOfALabelShareItsWeight(t *testing.T) {
	d := &Data{Labels: []string{"a", "b"}}
	for range 9 {
		d.examples = append(d.examples, example{label: 0, repo: 0})
	}
	d.examples = append(d.examples, example{label: 0, repo: 1}, example{label: 1, repo: 2})
	w, _ := weights(d, fitOptions{without: none})
	require.InDelta(t, math.Pow(9, 0.3)*w[0], w[9], 1e-9)
	require.InDelta(t, math.Sqrt(10), 9*w[0]+w[9], 1e-9, "a label weighs as much as the root of the number of its examples")
	require.InDelta(t, 1, w[10], 1e-9)
}

func TestAStatementWeighsAsMuchWhateverItsLabel(t *testing.T) {
	d := &Data{Labels: []string{"a", "b"}}
	for range 9 {
		d.examples = append(d.examples, example{label: 0})
	}
	d.examples = append(d.examples, example{label: 1})
	without, _ := weights(d, fitOptions{without: none})
	d.examples = append(d.examples, example{label: 0, kind: statement}, example{label: 1, kind: statement})
	w, n := weights(d, fitOptions{without: none})
	require.Equal(t, len(d.examples), n)
	require.Equal(t, without, w[:10], "the weights of the others stay as they are")
	require.InDelta(t, perStatement*(3+1)/10, w[10], 1e-9)
	require.InDelta(t, w[10], w[11], 1e-9)
}

func TestAWindowIsAPartWithoutItsIndentation(t *testing.T) {
	text := "class A {\n    int first() { return one; }\n    int second() { return two; }\n}"
	e := example{text: text}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		w := cut(&e, rng)
		if w == "" {
			continue
		}
		require.Less(t, strings.Count(w, "\n"), strings.Count(text, "\n"))
		flush := false
		for _, line := range strings.Split(w, "\n") {
			require.Contains(t, text, line)
			flush = flush || line[0] != ' '
		}
		require.True(t, flush, "%q", w)
	}
}

func TestEachExampleGivesSomeWindows(t *testing.T) {
	text := "first line\nsecond line\nthird line"
	d := &Data{Labels: []string{"c"}, examples: []example{
		{text: text},
		{text: "one line"},
		{text: text, kind: made},
	}}
	count := map[kind]int{}
	for _, e := range withWindows(d, 3, 1).examples {
		count[e.kind]++
	}
	require.Equal(t, map[kind]int{snippet: 2, window: 3, made: 1 + syntheticWindows}, count)
}

func TestCommandsAreNotOfTheFormatThatHoldsThem(t *testing.T) {
	for label, windows := range map[string]map[string]bool{
		"makefile":   {"go build ./...": false, "gcc -o main main.c\nstrip main": false, "all: main": true, "\t@echo done": true, "CFLAGS := -O2": true, "rm -f $(OBJECTS)": true},
		"dockerfile": {"&& apt-get install -y curl": false, "RUN make": true, "# the base": true},
		"yaml":       {"sudo apt-get update && sudo apt-get install -y curl": false, "run: make": true, "- make": true, "\"on\": push": true},
		"shell":      {"go build ./...": true},
	} {
		for window, of := range windows {
			require.Equal(t, of, ofFormat(window, label), "%s: %s", label, window)
		}
	}
}

func TestTemperaturesUndoOverconfidence(t *testing.T) {
	// The truth is drawn from the softmax of logits, which are then given three times too large.
	rng := rand.New(rand.NewPCG(9, 9))
	var examples []scored
	for range 4000 {
		z := []float32{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}
		p := append([]float32(nil), z...)
		langid.Softmax(p)
		label, u := int32(0), rng.Float32()
		for u -= p[0]; u > 0 && label < 2; u -= p[label] {
			label++
		}
		for i := range z {
			z[i] *= 3
		}
		examples = append(examples, scored{logits: z, label: label, level: rng.Float64() * 10, weight: 1})
	}
	for _, temp := range temperatures(examples) {
		require.InDelta(t, 3, temp, 0.75)
	}
}

func TestWrongLabelsMakeFewLessSure(t *testing.T) {
	// Of a hundred examples that are surely of the first label, one is said to be of the second.
	examples := make([]scored, 1000)
	for i := range examples {
		examples[i] = scored{logits: []float32{8, 0}, level: 5, weight: 1}
		if i%100 == 0 {
			examples[i].label = 1
		}
	}
	p := []float32{8 / temperatures(examples)[5], 0}
	langid.Softmax(p)
	require.Greater(t, p[0], float32(0.99))
}

func TestOrderDrawsByWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	drawn := order([]float64{1, 1, 2, 4, 0}, 4, rng)
	count := make([]int, 5)
	for _, i := range drawn {
		count[i]++
	}
	require.InDelta(t, 4, len(drawn), 1)
	require.Equal(t, 0, count[4])
	require.Equal(t, 2, count[3])
	require.Equal(t, 1, count[2])
}

func TestThinLeavesOutTheShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	bag := make([]uint32, 10000)
	require.Len(t, thin(nil, bag, 0, rng), len(bag))
	require.InDelta(t, 6000, float64(len(thin(nil, bag, 0.4, rng))), 4*math.Sqrt(2400))
}
