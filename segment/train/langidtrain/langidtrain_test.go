package langidtrain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// toy is a corpus of two made-up languages in eight repositories, each with
// words of its own.
func toy() *Data {
	d := &Data{Labels: []string{"brace", "end"}}
	for repo := range int32(8) {
		d.repos = append(d.repos, fmt.Sprint("repo", repo))
		for i := range 20 {
			name := fmt.Sprintf("own%dx%d", repo, i)
			for label, text := range []string{
				"function " + name + "() {\n  return " + name + ";\n}",
				"procedure " + name + " is\n  give " + name + "\nend",
			} {
				d.examples = append(d.examples, example{text: text, lines: lineStarts(text), label: int32(label), repo: repo})
			}
		}
	}
	return d
}

func TestAFitGeneralisesToOtherRepositories(t *testing.T) {
	d := toy()
	s := Options{
		Seed: 1, Features: 200, WordRepos: 3, FeatureRepos: 3, FirstEpochs: 1,
		Fit: FitOptions{Epochs: 4, Rate: 1, Dropout: 0.4, Average: 0.5, Blocks: 1, Windows: 1},
	}
	n := s.fit(d, func(string, ...any) {})
	require.Len(t, n.features, 200)
	other := &Data{Labels: d.Labels, repos: []string{"other"}}
	for label, text := range []string{"function zz() {\n  return 1;\n}", "procedure zz is\n  give 1\nend"} {
		other.examples = append(other.examples, example{text: text, lines: lineStarts(text), label: int32(label)})
	}
	for _, r := range results(n.score(other)) {
		require.Equal(t, r.Truth, r.Guess)
		require.Greater(t, r.Confidence, 0.8)
	}
	again := s.fit(toy(), func(string, ...any) {})
	require.Equal(t, n.W, again.W, "the same corpus and seed must give the same weights")
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
	b := extract(d.examples, ex)
	features := candidates(d, b, 8)
	require.Contains(t, features, ex.Append(nil, "function")[0])
	own := extract([]example{{text: "own3x7"}}, ex)
	found := 0
	for _, f := range own.at(0) {
		for _, c := range features {
			if c == f {
				found++
			}
		}
	}
	require.Less(t, found, own.len()*len(own.at(0)))
}

func TestABagHoldsEachFeatureOnce(t *testing.T) {
	b := extract([]example{{text: strings.Repeat("a = 1;\n", 30)}, {text: "a = 1;"}}, langid.NewExtractor(nil))
	require.Equal(t, 2, b.len())
	for i := range b.len() {
		seen := map[uint32]bool{}
		for _, f := range b.at(i) {
			require.False(t, seen[f])
			seen[f] = true
		}
		require.NotEmpty(t, seen)
	}
}

func TestAWindowIsAPartWithoutItsIndentation(t *testing.T) {
	text := "class A {\n    int first() { return one; }\n    int second() { return two; }\n}"
	e := example{text: text, lines: lineStarts(text)}
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

func TestOrderDrawsByWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	drawn := order([]float64{1, 1, 2, 0}, rng)
	count := make([]int, 4)
	for _, i := range drawn {
		count[i]++
	}
	require.InDelta(t, 4, len(drawn), 1)
	require.Equal(t, 0, count[3])
	require.Equal(t, 2, count[2])
}

func TestThinLeavesOutTheShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	bag := make([]uint32, 10000)
	require.Len(t, thin(nil, bag, 0, rng), len(bag))
	require.InDelta(t, 6000, float64(len(thin(nil, bag, 0.4, rng))), 4*math.Sqrt(2400))
}
