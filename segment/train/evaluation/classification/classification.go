// Package classification measures how well the language of code is named.
package classification

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation"
)

// Labels are the labels of labels.json with their families: groups of labels that some figures count as one.
type Labels struct {
	Names    []string
	Families []int // of each label: the index of the first label of its family
}

// AllLabels returns the labels of all languages that package segment tells apart, in the order of its labels.json.
func AllLabels() *Labels {
	l := new(Labels)
	first := map[string]int{}
	for i, language := range segment.Languages() {
		if _, ok := first[language.Family()]; !ok {
			first[language.Family()] = i
		}
		l.Names = append(l.Names, language.String())
		l.Families = append(l.Families, first[language.Family()])
	}
	return l
}

//go:embed linguist.json
var linguistFile []byte

// LinguistNames are the names that GitHub Linguist, and go-enry after it, have for languages, with the labels that each
// stands for, the usual one first.
var LinguistNames = corpus.Embedded[map[string][]string](linguistFile)

// Result is a classified snippet. Truth and Guess are indices of labels.
type Result struct {
	Truth, Guess int
	Confidence   float64 // probability of Guess, 0 to 1
	Lines        int
}

// Lengths are the names of the length classes of snippets, by lines.
var Lengths = [...]string{"1", "2-5", "6-20", ">20"}

// Length is the length class of a snippet with the given number of lines.
func Length(lines int) int {
	switch {
	case lines <= 1:
		return 0
	case lines <= 5:
		return 1
	case lines <= 20:
		return 2
	}
	return 3
}

// Figures are the figures of a set of snippets; percentages of 0 to 100.
type Figures struct {
	Lines    string // length class, or "all"
	Snippets int
	Accuracy float64 // every label apart
	Family   float64 // families counted as one
	Surest   float64 // accuracy of the three quarters with the highest confidence
	MacroF1  float64 // mean F1 of the labels with at least MacroLeast snippets in the set
	// Calibration is the expected calibration error, 0 to 1: the mean distance of confidence and accuracy over
	// fifteen equal ranges of confidence (Naeini et al. 2015).
	Calibration float64
}

// MacroLeast is the number of snippets that a label needs to count in MacroF1.
const MacroLeast = 10

// Measure gives the figures of results by length class, and of all together last.
func Measure(l *Labels, results []Result) []Figures {
	var out []Figures
	for i, name := range Lengths {
		var part []Result
		for _, r := range results {
			if Length(r.Lines) == i {
				part = append(part, r)
			}
		}
		out = append(out, figures(l, name, part))
	}
	return append(out, figures(l, "all", results))
}

func figures(l *Labels, name string, results []Result) Figures {
	f := Figures{Lines: name, Snippets: len(results)}
	if len(results) == 0 {
		return f
	}
	const ranges = 15
	var sum, right [ranges]float64
	for _, r := range results {
		bin := min(int(r.Confidence*ranges), ranges-1)
		sum[bin] += r.Confidence
		if r.Guess == r.Truth {
			right[bin]++
		}
	}
	for i := range sum {
		f.Calibration += math.Abs(sum[i]-right[i]) / float64(len(results))
	}
	f.Accuracy, f.Family = shares(l, results)
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b Result) int { return cmp.Compare(b.Confidence, a.Confidence) })
	f.Surest, _ = shares(l, sorted[:len(sorted)*3/4])
	var f1 float64
	labels := 0
	for _, g := range ByLabel(l, results) {
		if g.Snippets >= MacroLeast {
			f1 += g.F1
			labels++
		}
	}
	f.MacroF1 = f1 / float64(max(labels, 1))
	return f
}

// shares are the percentages of results that are right, each label apart and families as one.
func shares(l *Labels, results []Result) (accuracy, family float64) {
	for _, r := range results {
		if r.Guess == r.Truth {
			accuracy++
		}
		if l.Families[r.Guess] == l.Families[r.Truth] {
			family++
		}
	}
	n := float64(max(len(results), 1))
	return 100 * accuracy / n, 100 * family / n
}

// Table shows figures.
func Table(figures []Figures) string {
	rows := []string{"lines\tsnippets\taccuracy %\tfamilies as one %\tsurest 75 %\tmacro-F1\tcalibration error"}
	for _, f := range figures {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.3f", f.Lines, f.Snippets, f.Accuracy, f.Family, f.Surest, f.MacroF1, f.Calibration))
	}
	return evaluation.Table(rows)
}

// ThresholdTable shows what a least confidence does: how many of the snippets get an answer, and how many of the answers
// are right.
func ThresholdTable(l *Labels, results []Result) string {
	rows := []string{"least confidence\tanswered %\tof these right %\tfamilies as one %"}
	for _, least := range []float64{0, segment.LeastConfidence, 0.5, 0.7, 0.9} {
		answered := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Confidence < least })
		right, family := shares(l, answered)
		rows = append(rows, fmt.Sprintf("%.1f\t%.1f\t%.1f\t%.1f", least, 100*float64(len(answered))/float64(max(len(results), 1)), right, family))
	}
	return evaluation.Table(rows)
}

// LabelFigures are the figures of one label; percentages of 0 to 100.
type LabelFigures struct {
	Label      string
	Snippets   int
	Recall     float64
	Precision  float64
	F1         float64
	TakenFor   string // the label that it is most often mistaken for
	TakenCount int
}

// ByLabel gives the figures of each label that has a snippet, or is guessed, in the order of the labels.
func ByLabel(l *Labels, results []Result) []LabelFigures {
	n := len(l.Names)
	count := make([]int, n*n)
	truth, guess := make([]int, n), make([]int, n)
	for _, r := range results {
		truth[r.Truth]++
		guess[r.Guess]++
		count[r.Truth*n+r.Guess]++
	}
	var out []LabelFigures
	for i, name := range l.Names {
		if truth[i]+guess[i] == 0 {
			continue
		}
		f := LabelFigures{Label: name, Snippets: truth[i]}
		hit := float64(count[i*n+i])
		f.Recall = 100 * hit / float64(max(truth[i], 1))
		f.Precision = 100 * hit / float64(max(guess[i], 1))
		f.F1 = 100 * 2 * hit / float64(truth[i]+guess[i])
		for j, c := range count[i*n : i*n+n] {
			if j != i && c > f.TakenCount {
				f.TakenFor, f.TakenCount = l.Names[j], c
			}
		}
		out = append(out, f)
	}
	return out
}

// LabelTable shows the figures of labels.
func LabelTable(figures []LabelFigures) string {
	rows := []string{"label\tsnippets\trecall %\tprecision %\tF1\tmost often taken for"}
	for _, f := range figures {
		taken := ""
		if f.TakenCount > 0 {
			taken = fmt.Sprintf("%s (%d)", f.TakenFor, f.TakenCount)
		}
		rows = append(rows, fmt.Sprintf("%s\t%d\t%.1f\t%.1f\t%.1f\t%s", f.Label, f.Snippets, f.Recall, f.Precision, f.F1, taken))
	}
	return evaluation.Table(rows)
}
