package mentiontrain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

var labels = []string{"c", "go", "python"}

// documents has a document of each of n repositories, with a name before its code.
func documents(n int, name, language string) []corpus.Document {
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
	table, err := mention.NewTable(bare, labels)
	require.NoError(t, err)
	var pieces []piece
	for _, d := range [][]corpus.Document{
		documents(20, "django", "python"), documents(20, "module", "go"), documents(1, "habit", "c"),
		documents(20, "both", "c"), documents(20, "both", "go"), documents(20, "both", "python"), documents(20, "words", "c"),
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

	file, err := odds.Encode()
	require.NoError(t, err)
	var again Odds
	require.NoError(t, json.Unmarshal(file, &again))
	require.Equal(t, odds, again)
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
	_, err := mention.NewTable(odds, known)
	require.NoError(t, err)
}
