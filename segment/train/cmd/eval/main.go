// Command eval measures package segment on the corpus's dev split and prints tables.
//
//	go run ./cmd/eval [-corpus folder] [-fold n]
//
// With -fold it measures lines on the part of the training data that train linetag -without holds back, to choose by.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

func main() {
	dir := flag.String("corpus", "", corpus.FlagUsage)
	fold := flag.Int("fold", linetagtrain.None, "measure lines on this part of the sources of the training data, 0 to 4, not on dev")
	flag.Parse()
	data, err := corpus.Open(*dir)
	if err == nil && *fold == linetagtrain.None {
		err = run(os.Stdout, data)
	} else if err == nil {
		err = runFold(os.Stdout, data, *fold)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, data *corpus.Corpus) error {
	documents, err := data.Documents(corpus.Dev)
	if err != nil {
		return err
	}
	// make corpus makes no messages
	messages, err := data.Messages(corpus.Dev)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	assistant, err := data.Assistant(corpus.Dev)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := printSegmentation(w, documents); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := printLanguage(w, data); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := printContext(w, slices.Concat(documents, messages)); err != nil || len(messages) == 0 {
		return err
	}
	fmt.Fprintln(w)
	return printMessages(w, messages, assistant)
}

// runFold measures lines on a part of the training data.
func runFold(w io.Writer, data *corpus.Corpus, fold int) error {
	all, err := corpus.Training{Corpus: data, Messages: true}.Documents()
	if err != nil {
		return err
	}
	var documents, messages, others []corpus.Document
	for _, d := range all {
		switch {
		case d.Fold() != fold:
		case d.IsMessage():
			messages = append(messages, d)
		case d.WasSent() || d.Kind == corpus.ComposedRequest:
			others = append(others, d)
		default:
			documents = append(documents, d)
		}
	}
	if err := printSegmentation(w, documents); err != nil {
		return err
	}
	return printMessages(w, messages, others)
}
