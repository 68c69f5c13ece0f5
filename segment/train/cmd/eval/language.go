package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// namer names the language of snippets, one after the other.
type namer struct {
	labels  *classification.Labels
	index   map[string]int
	model   *langid.Model
	scratch langid.Scratch
	scores  []float32
}

func newNamer() *namer {
	n := &namer{labels: classification.AllLabels(), index: map[string]int{}, model: langid.Default()}
	for i, name := range n.labels.Names {
		n.index[name] = i
	}
	return n
}

// name classifies code that has the given label.
func (n *namer) name(code, label string) classification.Result {
	n.scores = n.model.Scores(&n.scratch, code, n.scores)
	guess, confidence := n.model.Best(n.scores)
	return classification.Result{Truth: n.index[label], Guess: guess, Confidence: confidence, Lines: strings.Count(code, "\n") + 1}
}

// printLanguage classifies snippets, in one goroutine, and prints how many are right.
func printLanguage(n *namer, snippets []corpus.Snippet) {
	var results, corrected []classification.Result
	var took time.Duration
	for i := range snippets {
		s := &snippets[i]
		start := time.Now()
		r := n.name(s.Text, s.Lang)
		took += time.Since(start)
		results = append(results, r)
		if truth, ok := n.index[classification.Corrected(s)]; ok {
			r.Truth = truth
			corrected = append(corrected, r)
		}
	}
	single := slices.DeleteFunc(slices.Clone(corrected), func(r classification.Result) bool { return r.Lines > 1 })
	fmt.Printf("Language, labels as they are in the corpus\n\n%s", classification.Table(classification.Measure(n.labels, results)))
	fmt.Printf("\nLanguage, plainly wrong labels corrected\n\n%s", classification.Table(classification.Measure(n.labels, corrected)))
	fmt.Printf("\nWhat a least confidence (min_confidence) does, plainly wrong labels corrected\n\n%s", classification.ThresholdTable(n.labels, corrected))
	fmt.Printf("\nThe same for single lines\n\n%s", classification.ThresholdTable(n.labels, single))
	fmt.Printf("\n%.1f microseconds for a snippet\n\n", took.Seconds()*1e6/float64(max(len(snippets), 1)))
	fmt.Print(classification.LabelTable(classification.ByLabel(n.labels, results)))
}

// printNewLabels prints the figures of the labels of the corpus's fourth extension, of what programs print, of heredocs, and how
// much of the code in languages without a label gets an answer.
func printNewLabels(n *namer, snippets, outputs, heredocs []corpus.Snippet) {
	var results, printed []classification.Result
	wrong := 0
	for _, s := range snippets {
		r := n.name(s.Text, s.Lang)
		results = append(results, r)
		if r.Guess != r.Truth && r.Confidence >= segment.LeastConfidence {
			wrong++
		}
	}
	fmt.Printf("Labels of the fourth extension, %.1f %% wrong with a confidence of %v or more\n\n%s\n", percent(wrong, len(results)), segment.LeastConfidence,
		classification.Table(classification.Measure(n.labels, results)))
	fmt.Print(classification.LabelTable(classification.ByLabel(n.labels, results)))

	rows := []string{"what programs print\tpieces\tits own label %\tone of the four %\tsingle lines\tits own label %"}
	for _, label := range append(slices.Clone(printedLabels), "all") {
		printed = printed[:0]
		kind, single, right := 0, 0, 0
		for _, s := range outputs {
			if label != "all" && s.Lang != label {
				continue
			}
			r := n.name(s.Text, s.Lang)
			printed = append(printed, r)
			if slices.Contains(printedLabels, n.labels.Names[r.Guess]) {
				kind++
			}
			if r.Lines == 1 {
				single++
				if r.Guess == r.Truth {
					right++
				}
			}
		}
		own := classification.Measure(n.labels, printed)
		rows = append(rows, fmt.Sprintf("%s\t%d\t%.1f\t%.1f\t%d\t%.1f", label, len(printed), own[len(own)-1].Accuracy, percent(kind, len(printed)), single, percent(right, single)))
	}
	fmt.Printf("\n%s", evaluation.Table(rows))

	right := 0
	for _, s := range heredocs {
		if r := n.name(s.Text, s.Lang); r.Guess == r.Truth {
			right++
		}
	}
	fmt.Printf("\nHeredocs named shell: %.1f %% of %d\n", percent(right, len(heredocs)), len(heredocs))
	answered := 0
	pieces := classification.Unlabelled()
	for _, code := range pieces {
		if n.name(code, "").Confidence >= segment.LeastConfidence {
			answered++
		}
	}
	fmt.Printf("Code in languages without a label that gets an answer: %.1f %% of %d pieces\n", percent(answered, len(pieces)), len(pieces))
}

// printedLabels are those of what programs print.
var printedLabels = []string{"stacktrace", "log", "output", "console"}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
