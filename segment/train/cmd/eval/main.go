// Command eval measures package segment on the corpus and prints tables, or JSON with -json.
//
//	go run ./cmd/eval [-json] [-corpus folder] [-split dev]
//	go run ./cmd/eval language [-json] [-corpus folder] [-split dev] [-model file]
//
// To look into the model of lines alone, without the rules of markup around it:
//
//	go run ./cmd/eval -model ../internal/linetag/model.bin -split validation [-wrong md-rendered]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func main() {
	part := run
	if len(os.Args) > 1 && os.Args[1] == "language" {
		part = runLanguage
	}
	if err := part(); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// validation is the pseudo split of those repositories of train that the trainer keeps back with -holdout.
const validation = "validation"

// report is what the command prints.
type report struct {
	Segmentation segmentationReport `json:"segmentation"`
	Language     *languageReport    `json:"language,omitempty"` // not for the model of lines alone
}

func run() error {
	dir := flag.String("corpus", "", corpus.FlagUsage)
	split := flag.String("split", string(corpus.Dev), "split to measure on: dev, train, or validation (the part of train that train -holdout keeps back)")
	asJSON := flag.Bool("json", false, "print JSON")
	file := flag.String("model", "", "file of a model of lines to measure, alone")
	wrong := flag.String("wrong", "", "print the documents of this slice that are not exact, their wrong lines marked")
	flag.Parse()
	data, err := corpus.Open(*dir)
	if err != nil {
		return err
	}
	documents, err := readDocuments(data, *split)
	if err != nil {
		return err
	}
	label, err := labeller(*file)
	if err != nil {
		return err
	}
	if *wrong != "" {
		printWrong(os.Stdout, label, documents, *wrong)
		return nil
	}
	r := report{Segmentation: measureSegmentation(label, documents)}
	if *file == "" && *split != validation {
		if r.Language, err = measureLanguage(data, corpus.Split(*split), langid.Default()); err != nil {
			return err
		}
	}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	if err := r.Segmentation.print(os.Stdout); err != nil || r.Language == nil {
		return err
	}
	fmt.Println()
	return r.Language.print(os.Stdout)
}

func readDocuments(data *corpus.Corpus, split string) ([]corpus.Document, error) {
	part := corpus.Split(split)
	if split == validation {
		part = corpus.Train
	}
	documents, err := data.Documents(part)
	if err != nil {
		return nil, err
	}
	if split == validation {
		documents = slices.DeleteFunc(documents, func(d corpus.Document) bool { return !corpus.HeldOutOfLines(d.Source) })
	}
	return documents, nil
}
