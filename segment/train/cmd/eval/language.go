package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// printLanguage classifies snippets, in one goroutine, and prints how many are right.
func printLanguage(snippets []corpus.Snippet) {
	labels := classification.AllLabels()
	index := map[string]int{}
	for i, name := range labels.Names {
		index[name] = i
	}
	var results, corrected []classification.Result
	var took time.Duration
	m := langid.Default()
	var scratch langid.Scratch
	var scores []float32
	for i := range snippets {
		s := &snippets[i]
		start := time.Now()
		scores = m.Scores(&scratch, s.Text, scores)
		guess, confidence := langid.Best(scores)
		took += time.Since(start)
		r := classification.Result{Truth: index[s.Lang], Guess: guess, Confidence: confidence, Lines: strings.Count(s.Text, "\n") + 1}
		results = append(results, r)
		if truth, ok := index[classification.Corrected(s)]; ok {
			r.Truth = truth
			corrected = append(corrected, r)
		}
	}
	single := slices.DeleteFunc(slices.Clone(corrected), func(r classification.Result) bool { return r.Lines > 1 })
	fmt.Printf("Language, labels as they are in the corpus\n\n%s", classification.Table(classification.Measure(labels, results)))
	fmt.Printf("\nLanguage, plainly wrong labels corrected\n\n%s", classification.Table(classification.Measure(labels, corrected)))
	fmt.Printf("\nWhat a least confidence (min_confidence) does, plainly wrong labels corrected\n\n%s", classification.ThresholdTable(labels, corrected))
	fmt.Printf("\nThe same for single lines\n\n%s", classification.ThresholdTable(labels, single))
	fmt.Printf("\n%.1f microseconds for a snippet\n\n", took.Seconds()*1e6/float64(max(len(snippets), 1)))
	fmt.Print(classification.LabelTable(classification.ByLabel(labels, results)))
}
