// Command eval measures package segment on the corpus and prints tables, or JSON with -json.
//
//	go run ./cmd/eval [-json] [-corpus folder] [-split dev]
//	go run ./cmd/eval language [-json] [-corpus folder] [-split dev] [-model file]
//	go run ./cmd/eval -against revision [-corpus folder]
//
// To look into the model of lines alone, without the rules of markup around it:
//
//	go run ./cmd/eval -model ../internal/linetag/model.bin -split validation [-wrong md-rendered]
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
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

// validation is the pseudo split of those repositories, and sources of messages, of train that the trainer holds back with
// -holdout.
const validation = "validation"

// report is what the command prints.
type report struct {
	Segmentation segmentationReport `json:"segmentation"`
	Messages     *messageReport     `json:"messages,omitempty"` // nil if the corpus has no messages
	Language     *languageReport    `json:"language,omitempty"` // not for the model of lines alone
}

func run() error {
	dir := flag.String("corpus", "", corpus.FlagUsage)
	split := flag.String("split", string(corpus.Dev), "split to measure on: dev, train, or validation (the part of train that train -holdout holds back)")
	asJSON := flag.Bool("json", false, "print JSON")
	file := flag.String("model", "", "file of a model of lines to measure, alone")
	wrong := flag.String("wrong", "", "print the documents of this slice that are not exact, their wrong lines marked")
	against := flag.String("against", "", "Git revision to compare with")
	flag.Parse()
	data, err := corpus.Open(*dir)
	if err != nil {
		return err
	}
	documents, err := readDocuments(data, *split)
	if err != nil {
		return err
	}
	messages, err := readMessages(data, *split)
	if err != nil {
		return err
	}
	m, err := loadLines(*file)
	if err != nil {
		return err
	}
	label := segmentLabels
	if *file != "" {
		label = linetagtrain.Labeller(m)
	}
	if *wrong != "" {
		printWrong(os.Stdout, label, slices.Concat(documents, messages), *wrong)
		return nil
	}
	r := report{Segmentation: measureSegmentation(label, documents)}
	if len(messages) > 0 {
		r.Messages = measureMessages(label, m, messages)
	}
	if *file == "" && *split != validation {
		if r.Language, err = measureLanguage(data, corpus.Split(*split), langid.Default()); err != nil {
			return err
		}
		r.Language.Context = measureContext(slices.Concat(documents, messages))
	}
	if *against != "" {
		before, err := measureRevision(*against, data.Dir(), *split)
		if err != nil {
			return err
		}
		return printComparison(os.Stdout, before, &r)
	}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	if err := r.Segmentation.print(os.Stdout); err != nil {
		return err
	}
	if r.Language != nil {
		fmt.Println()
		if err := r.Language.print(os.Stdout); err != nil {
			return err
		}
	}
	if r.Messages == nil {
		return nil
	}
	fmt.Println()
	return r.Messages.print(os.Stdout)
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
		documents = slices.DeleteFunc(documents, func(d corpus.Document) bool { return !d.InValidation() })
	}
	return documents, nil
}

// readMessages reads the messages of a split; none if the corpus was made before there were any.
func readMessages(data *corpus.Corpus, split string) ([]corpus.Document, error) {
	part := corpus.Split(split)
	if split == validation {
		part = corpus.Train
	}
	messages, err := data.Messages(part)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if split == validation {
		messages = slices.DeleteFunc(messages, func(d corpus.Document) bool { return !d.InValidation() })
	}
	return messages, err
}
