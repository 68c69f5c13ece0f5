package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// printLanguage classifies the snippets of dev, in one goroutine, and prints how many are right.
func printLanguage(w io.Writer, data *corpus.Corpus) error {
	snippets, err := data.Snippets(corpus.Dev)
	if err != nil {
		return err
	}
	labels := classification.AllLabels()
	index := map[string]int{}
	for i, name := range labels.Names {
		index[name] = i
	}
	results := make([]classification.Result, 0, len(snippets))
	corrected := make([]classification.Result, 0, len(snippets))
	m := langid.Default()
	var scratch langid.Scratch
	var scores []float32
	start := time.Now()
	for _, s := range snippets {
		scores = m.Scores(&scratch, s.Text, scores)
		guess, confidence := langid.Best(scores)
		results = append(results, classification.Result{Truth: index[s.Lang], Guess: guess, Confidence: confidence, Lines: strings.Count(s.Text, "\n") + 1})
	}
	micros := time.Since(start).Seconds() * 1e6 / float64(max(len(snippets), 1))
	for i := range snippets {
		if truth, ok := index[classification.Corrected(&snippets[i])]; ok {
			r := results[i]
			r.Truth = truth
			corrected = append(corrected, r)
		}
	}
	fmt.Fprint(w, "Language, labels as they are in the corpus\n\n")
	if err := classification.Print(w, classification.Measure(labels, results)); err != nil {
		return err
	}
	fmt.Fprint(w, "\nLanguage, plainly wrong labels corrected\n\n")
	if err := classification.Print(w, classification.Measure(labels, corrected)); err != nil {
		return err
	}
	fmt.Fprint(w, "\nWhat a least confidence (min_confidence) does, plainly wrong labels corrected\n\n")
	if err := classification.PrintThresholds(w, labels, corrected); err != nil {
		return err
	}
	fmt.Fprint(w, "\nThe same for single lines\n\n")
	single := slices.DeleteFunc(slices.Clone(corrected), func(r classification.Result) bool { return r.Lines > 1 })
	if err := classification.PrintThresholds(w, labels, single); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%.1f microseconds for a snippet\n\n", micros)
	return classification.PrintLabels(w, classification.ByLabel(labels, results))
}
