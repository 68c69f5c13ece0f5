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
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

func main() {
	fold := flag.Int("fold", linetagtrain.None, "measure lines on this part of the sources of the training data, 0 to 4, not on dev")
	flag.Parse()
	data := must(corpus.Open())
	if *fold != linetagtrain.None {
		printFold(must(corpus.Training{Corpus: data, Messages: true}.Documents()), *fold)
		return
	}
	documents := must(data.Documents("documents.dev"))
	messages := must(data.Documents("messages.dev"))
	printDocuments(documents)
	fmt.Println()
	n := newNamer()
	printLanguage(n, must(data.Snippets("snippets.dev")))
	fmt.Println()
	printNewLabels(n, must(data.Snippets("snippets.dev4")), must(data.Snippets("outputs.dev")), must(data.Snippets("heredocs.dev")))
	fmt.Println()
	printContext(n, slices.Concat(documents, messages))
	fmt.Println()
	printMessages(messages, must(data.Documents("assistant.dev")), must(data.Documents("commands.dev")))
}

// must is value; an error ends the program.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
	return value
}

// printFold measures lines on a part of the training data.
func printFold(training []corpus.Document, fold int) {
	var documents, messages, others, commands []corpus.Document
	for _, d := range training {
		switch {
		case d.Fold() != fold:
		case strings.HasPrefix(d.Kind, corpus.CommandKinds):
			commands = append(commands, d)
		case d.IsMessage():
			messages = append(messages, d)
		case d.WasSent() || d.Kind == corpus.ComposedRequest:
			others = append(others, d)
		default:
			documents = append(documents, d)
		}
	}
	printDocuments(documents)
	printMessages(messages, others, commands)
}
