// Command eval measures the embedded models of package segment on the corpus and prints tables, or JSON with -json.
//
//	go run ./segment/internal/eval [-json] [-corpus folder] [-split dev] [-model file] [-wrong slice]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/eval/segmentation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/lines"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/train/linetrain"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// validation is the pseudo split of those repositories of train that the trainer keeps back with -holdout.
const validation = "validation"

func run() error {
	dir := flag.String("corpus", "", "corpus folder (default: $CORPUS, or shared/corpus beside the repository)")
	split := flag.String("split", string(corpus.Dev), "split to measure on: dev, train, or validation (the part of train that train -holdout keeps back)")
	asJSON := flag.Bool("json", false, "print JSON")
	file := flag.String("model", "", "file of a model of lines to measure instead of the embedded one")
	wrong := flag.String("wrong", "", "print the documents of this slice that are not exact, their wrong lines marked")
	flag.Parse()
	if *dir == "" {
		var err error
		if *dir, err = corpus.Dir(); err != nil {
			return err
		}
	}
	var model *lines.Model
	if *file == "" {
		model = lines.Default()
	} else {
		b, err := os.ReadFile(*file)
		if err != nil {
			return err
		}
		if model, err = lines.Decode(b); err != nil {
			return err
		}
	}
	part := corpus.Split(*split)
	if part == validation {
		part = corpus.Train
	}
	documents, err := corpus.Documents(*dir, part)
	if err != nil {
		return err
	}
	if *split == validation {
		documents = slices.DeleteFunc(documents, func(d corpus.Document) bool { return !linetrain.HeldOut(d.Source) })
	}
	if *wrong != "" {
		printWrong(os.Stdout, model, documents, *wrong)
		return nil
	}
	figures := linetrain.Measure(model, documents).Figures()
	if *asJSON {
		return segmentation.WriteJSON(os.Stdout, figures)
	}
	return segmentation.Print(os.Stdout, figures)
}

// printWrong prints the documents of a slice that are not exact. Each line begins with its true label; the wrong ones
// are marked with an exclamation mark.
func printWrong(w io.Writer, m *lines.Model, documents []corpus.Document, slice string) {
	var s lines.Scratch
	for i, d := range documents {
		if d.Kind != slice {
			continue
		}
		code := m.Label(&s, d.Text, linetrain.Split(nil, d.Text), nil, nil)
		var b strings.Builder
		exact := true
		for j, l := range strings.Split(d.Text, "\n") {
			mark := " "
			if label := d.Labels[j]; label != corpus.Blank && (label == corpus.Code) != code[j] {
				exact = false
				mark = "!"
			}
			fmt.Fprintf(&b, "%s%s %s\n", d.Labels[j], mark, l)
		}
		if !exact {
			fmt.Fprintf(w, "=== document %d of %s, %s\n%s", i, d.Source, d.Variant, b.String())
		}
	}
}
