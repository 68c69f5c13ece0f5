// Command eval measures the embedded models of package segment on the corpus and prints tables, or JSON with -json.
//
//	go run ./segment/internal/eval [-json] [-corpus folder] [-split dev]
package main

import (
	"flag"
	"fmt"
	"os"

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

func run() error {
	dir := flag.String("corpus", "", "corpus folder (default: $CORPUS, or shared/corpus beside the repository)")
	split := flag.String("split", string(corpus.Dev), "split to measure on")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	if *dir == "" {
		var err error
		if *dir, err = corpus.Dir(); err != nil {
			return err
		}
	}
	documents, err := corpus.Documents(*dir, corpus.Split(*split))
	if err != nil {
		return err
	}
	figures := linetrain.Measure(lines.Default(), documents).Figures()
	if *asJSON {
		return segmentation.WriteJSON(os.Stdout, figures)
	}
	return segmentation.Print(os.Stdout, figures)
}
