package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// languageReport is what is measured of the language classifier.
type languageReport struct {
	Lengths   []classification.Figures `json:"lengths"`   // with the labels of the corpus
	Corrected []classification.Figures `json:"corrected"` // the same, with plainly wrong labels corrected
	// Thresholds tell what a least confidence does, with the corrected labels.
	Thresholds []classification.Threshold    `json:"thresholds"`
	Labels     []classification.LabelFigures `json:"labels"`
	// Context is about code in messages; it is measured of the embedded model only.
	Context []contextFigures `json:"context,omitempty"`
	Micros  float64          `json:"microseconds"` // per snippet, one goroutine
}

// runLanguage measures the embedded language model, or that of a file, on the snippets of a split.
func runLanguage() error {
	flags := flag.NewFlagSet("eval language", flag.ExitOnError)
	dir := flags.String("corpus", "", corpus.FlagUsage)
	split := flags.String("split", string(corpus.Dev), "split to measure on: dev or train")
	file := flags.String("model", "", "file of a model to measure instead of the embedded one")
	asJSON := flags.Bool("json", false, "print JSON")
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	data, err := corpus.Open(*dir)
	if err != nil {
		return err
	}
	m := langid.Default()
	if *file != "" {
		b, err := os.ReadFile(*file)
		if err != nil {
			return err
		}
		if m, err = langid.Decode(b); err != nil {
			return err
		}
	}
	r, err := measureLanguage(data, corpus.Split(*split), m)
	if err != nil {
		return err
	}
	if *file == "" {
		documents, err := readDocuments(data, *split)
		if err != nil {
			return err
		}
		messages, err := readMessages(data, *split)
		if err != nil {
			return err
		}
		r.Context = measureContext(slices.Concat(documents, messages))
	}
	if *asJSON {
		return r.writeJSON(os.Stdout)
	}
	return r.print(os.Stdout)
}

// measureLanguage classifies the snippets of a split.
func measureLanguage(data *corpus.Corpus, split corpus.Split, m *langid.Model) (*languageReport, error) {
	snippets, err := data.Snippets(split)
	if err != nil {
		return nil, err
	}
	labels := classification.AllLabels()
	index := map[string]int{}
	for i, name := range labels.Names {
		index[name] = i
	}
	results := make([]classification.Result, 0, len(snippets))
	corrected := make([]classification.Result, 0, len(snippets))
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
	return &languageReport{
		Lengths: classification.Measure(labels, results), Corrected: classification.Measure(labels, corrected),
		Thresholds: classification.AtThresholds(labels, corrected), Labels: classification.ByLabel(labels, results), Micros: micros,
	}, nil
}

func (r *languageReport) print(w io.Writer) error {
	fmt.Fprint(w, "Language, labels as they are in the corpus\n\n")
	if err := classification.Print(w, r.Lengths); err != nil {
		return err
	}
	fmt.Fprint(w, "\nLanguage, plainly wrong labels corrected\n\n")
	if err := classification.Print(w, r.Corrected); err != nil {
		return err
	}
	fmt.Fprint(w, "\nWhat a least confidence (min_confidence) does, plainly wrong labels corrected\n\n")
	if err := classification.PrintThresholds(w, r.Thresholds); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%.1f microseconds for a snippet\n\n", r.Micros)
	if err := classification.PrintLabels(w, r.Labels); err != nil || r.Context == nil {
		return err
	}
	fmt.Fprintln(w)
	return printContext(w, r.Context)
}

func (r *languageReport) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
