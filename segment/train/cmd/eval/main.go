// Command eval measures package segment on the corpus's dev split and prints tables.
//
//	go run ./cmd/eval [-corpus folder]
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
)

func main() {
	dir := flag.String("corpus", "", corpus.FlagUsage)
	flag.Parse()
	if err := run(os.Stdout, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, dir string) error {
	data, err := corpus.Open(dir)
	if err != nil {
		return err
	}
	documents, err := data.Documents(corpus.Dev)
	if err != nil {
		return err
	}
	messages, err := data.Messages(corpus.Dev)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // make corpus makes none
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
	return printMessages(w, messages)
}
