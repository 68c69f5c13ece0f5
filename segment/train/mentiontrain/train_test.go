package mentiontrain

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

var labels = []string{"c", "go", "python"}

// shown has a document of each of n repositories, with a name before its code.
func shown(n int, name, language string) []corpus.Document {
	var all []corpus.Document
	for i := range n {
		all = append(all, corpus.Document{
			Text:   "How it is done in " + name + ":\n\nvalue = compute()\nprint value",
			Labels: []string{corpus.Text, corpus.Blank, corpus.Code, corpus.Code},
			Langs:  []string{"", "", language, language},
			Source: fmt.Sprint(language, "/", i),
		})
	}
	return all
}

func TestLearn(t *testing.T) {
	names := map[string][]string{"django": {"python"}, "stdio": {"c"}, "module": nil, "habit": nil, "both": nil}
	bare := map[string]map[string]float64{}
	for name := range names {
		bare[name] = nil
	}
	table, err := mention.NewTable(mention.File{Odds: bare}, labels)
	require.NoError(t, err)
	var pieces []piece
	for _, d := range [][]corpus.Document{
		shown(20, "django", "python"), shown(20, "module", "go"), shown(1, "habit", "c"),
		shown(20, "both", "c"), shown(20, "both", "go"), shown(20, "both", "python"), shown(20, "words", "c"),
	} {
		for i := range d {
			pieces = append(pieces, piecesOf(&d[i], table, labels)...)
		}
	}
	odds := learn(pieces, table, labels, names)
	require.Greater(t, odds["django"]["python"], 10.0)
	require.NotContains(t, odds["django"], "go")
	require.Greater(t, odds["module"]["go"], 10.0, "what nobody expected is learned")
	require.Equal(t, 6.0, odds["stdio"]["c"], "a name that never occurs has the expected odds")
	require.NotContains(t, odds, "habit", "one repository is no evidence")
	require.NotContains(t, odds, "both", "it says nothing")

	file, err := Learned{Odds: odds, Weights: mention.Weights{Bound: 2}}.Encode()
	require.NoError(t, err)
	var again mention.File
	require.NoError(t, json.Unmarshal(file, &again))
	require.Equal(t, odds, again.Odds)
	require.Equal(t, float32(2), again.Weights.Bound)
}

func TestANameMeansWhatItIsTheNameOf(t *testing.T) {
	row := map[string]float64{"javascript": 6, "html": 8, "vue": 3, "css": 2}
	bound(row, []string{"javascript"})
	require.Equal(t, map[string]float64{"javascript": 6, "html": 3, "vue": 3, "css": 2}, row)
	row = map[string]float64{"go": 3, "c": 5}
	bound(row, []string{"go"})
	require.Equal(t, map[string]float64{"go": 3}, row, "too little to say")
	row = map[string]float64{"c": 5}
	bound(row, nil)
	require.Equal(t, map[string]float64{"c": 5}, row)
}

func TestTheNamesHaveKnownLabels(t *testing.T) {
	var names map[string][]string
	require.NoError(t, json.Unmarshal(namesFile, &names))
	known := classification.AllLabels().Names
	odds := map[string]map[string]float64{}
	for name, expected := range names {
		odds[name] = nil
		require.Subset(t, known, expected, name)
		require.NotContains(t, name, " ")
		require.False(t, strings.ContainsAny(name, "/\\"), name)
	}
	_, err := mention.NewTable(mention.File{Odds: odds}, known)
	require.NoError(t, err)
}

func TestWeightsAreLearnedFromMessages(t *testing.T) {
	table, err := mention.NewTable(mention.File{Odds: map[string]map[string]float64{"django": {"python": 8}}}, labels)
	require.NoError(t, err)
	var misleading, telling []sent
	for i := range 40 {
		m := sent{words: new(mention.Message), labels: []int{2}, weight: []float64{1}, scores: [][]float32{{-1, -1, -1.2}}}
		m.words.Text(table, "django:\n", 0)
		m.words.Code(table, "value\n", 8)
		m.words.Finish()
		telling = append(telling, m)
		m.labels = []int{i % 2}
		misleading = append(misleading, m)
	}
	quiet := log.New(io.Discard, "", 0)
	require.Greater(t, learnWeights(telling, table, quiet).Beside, start.Beside, "a name that tells the truth is believed")
	w := learnWeights(misleading, table, quiet)
	require.Zero(t, w.Beside*w.Bound*w.Short, "one that does not is not")
}

func TestPartsOfWhatWeightsAreLearnedFrom(t *testing.T) {
	near := corpus.Document{Kind: "readme", Langs: []string{"c"}}
	for near.Fold() != 0 {
		near.Source += "x"
	}
	for _, c := range []struct {
		d    corpus.Document
		part part
		ok   bool
	}{
		{corpus.Document{Kind: "message-chat", Langs: []string{"c"}}, messages, true},
		{corpus.Document{Kind: "message-mail", Langs: []string{"r"}}, 0, false},
		{corpus.Document{Kind: "message-qa"}, 0, false},
		{corpus.Document{Kind: corpus.CommandKinds + "steps", Langs: []string{"shell"}}, turns, true},
		{corpus.Document{Kind: corpus.CommandKinds + "steps", Langs: []string{"shell"}, Synthetic: true}, 0, false},
		{near, documents, true},
	} {
		part, ok := partOf(&c.d)
		require.Equal(t, c.part, part, c.d.Kind)
		require.Equal(t, c.ok, ok, c.d.Kind)
	}
}
