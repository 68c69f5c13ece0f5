package classification

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFamiliesComeFromTheLabels(t *testing.T) {
	l := AllLabels()
	family := map[string]int{}
	for i, name := range l.Names {
		family[name] = l.Families[i]
	}
	for _, together := range []string{
		"c cpp", "javascript typescript jsx tsx", "css scss less", "ini properties", "shell makefile",
		"xml html vue svelte astro erb blade handlebars twig", "lisp scheme racket emacslisp clojure",
	} {
		names := strings.Fields(together)
		for _, name := range names {
			require.Equal(t, family[names[0]], family[name], name)
		}
	}
	require.NotEqual(t, family["java"], family["kotlin"])
	require.NotEqual(t, family["css"], family["html"])
}

func TestNamesOfLinguistStandForLabels(t *testing.T) {
	for name, labels := range LinguistNames() {
		require.Subset(t, AllLabels().Names, labels, name)
	}
}

// c and cpp are a family, go is alone.
var three = &Labels{Names: []string{"c", "cpp", "go"}, Families: []int{0, 0, 2}}

func TestFiguresByLength(t *testing.T) {
	results := []Result{
		{Truth: 0, Guess: 0, Confidence: 0.9, Lines: 1},
		{Truth: 0, Guess: 1, Confidence: 0.5, Lines: 1},
		{Truth: 2, Guess: 2, Confidence: 0.8, Lines: 1},
		{Truth: 2, Guess: 0, Confidence: 0.4, Lines: 1},
		{Truth: 2, Guess: 0, Lines: 30},
	}
	f := Measure(three, results)
	require.Len(t, f, 5)
	require.Equal(t, "1", f[0].Lines)
	require.Equal(t, 4, f[0].Snippets)
	require.InDelta(t, 50, f[0].Accuracy, 1e-9)
	require.InDelta(t, 75, f[0].Family, 1e-9)
	require.InDelta(t, 100*2.0/3, f[0].Surest, 1e-9, "the three surest are those of 0.9, 0.8 and 0.5")
	// The four confidences lie in ranges of their own: |0.9-1|, |0.5-0|, |0.8-1| and |0.4-0|, each of one snippet in four.
	require.InDelta(t, (0.1+0.5+0.2+0.4)/4, f[0].Calibration, 1e-9)
	require.Zero(t, f[1].Snippets)
	require.Zero(t, f[3].Accuracy)
	require.Equal(t, 5, f[4].Snippets)
}

func TestFiguresByLabel(t *testing.T) {
	var results []Result
	for range 8 {
		results = append(results, Result{Truth: 0, Guess: 0})
	}
	for range 2 {
		results = append(results, Result{Truth: 0, Guess: 1}, Result{Truth: 1, Guess: 1})
	}
	l := ByLabel(three, results)
	require.Len(t, l, 2, "go neither occurs nor is guessed")
	require.Equal(t, LabelFigures{Label: "c", Snippets: 10, Recall: 80, Precision: 100, F1: 100 * 16.0 / 18, TakenFor: "cpp", TakenCount: 2}, l[0])
	require.InDelta(t, 50, l[1].Precision, 1e-9)
	require.InDelta(t, 100*16.0/18, Measure(three, results)[4].MacroF1, 1e-9, "two snippets of cpp are too few to count")
}

func TestLengthClasses(t *testing.T) {
	for lines, want := range map[int]string{1: "1", 2: "2-5", 5: "2-5", 6: "6-20", 20: "6-20", 21: ">20"} {
		require.Equal(t, want, Lengths[Length(lines)], "%d lines", lines)
	}
}

func TestWhatThresholdsDo(t *testing.T) {
	results := []Result{
		{Truth: 0, Guess: 0, Confidence: 0.95},
		{Truth: 0, Guess: 1, Confidence: 0.9},
		{Truth: 2, Guess: 0, Confidence: 0.6},
		{Truth: 2, Guess: 2, Confidence: 0.2},
	}
	var rows []string
	for line := range strings.Lines(ThresholdTable(three, results)) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	require.Equal(t, []string{"0.0 100.0 50.0 75.0", "0.3 75.0 33.3 66.7", "0.5 75.0 33.3 66.7", "0.7 50.0 50.0 100.0", "0.9 50.0 50.0 100.0"}, rows[1:])
}
