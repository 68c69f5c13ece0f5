// Command eval measures package segment on the corpus's dev split and prints tables.
//
//	go run ./cmd/eval [-fold n]
//
// With -fold it measures lines on the part of the training data that train linetag -without holds back, to choose by.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

func main() {
	fold := flag.Int("fold", linetagtrain.None, "measure lines on this part of the sources of the training data, 0 to 4, not on dev")
	flag.Parse()
	data, err := corpus.Open()
	if err == nil && *fold == linetagtrain.None {
		err = run(data)
	} else if err == nil {
		err = runFold(data, *fold)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(data *corpus.Corpus) error {
	documents, err := data.Documents("documents.dev")
	if err != nil {
		return err
	}
	snippets, err := data.Snippets("snippets.dev")
	if err != nil {
		return err
	}
	messages, err := data.Documents(data.Present("messages.dev")...)
	if err != nil {
		return err
	}
	assistant, err := data.Documents(data.Present("assistant.dev")...)
	if err != nil {
		return err
	}
	printDocuments(documents)
	fmt.Println()
	printLanguage(snippets)
	fmt.Println()
	printContext(slices.Concat(documents, messages))
	if len(messages) > 0 {
		fmt.Println()
		printMessages(messages, assistant)
	}
	return nil
}

// runFold measures lines on a part of the training data.
func runFold(data *corpus.Corpus, fold int) error {
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
	printDocuments(documents)
	printMessages(messages, others)
	return nil
}
