package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/langidtrain"
)

// trainLangid fits the model that names the language of code and writes its file.
func trainLangid(args []string) error {
	flags := flag.NewFlagSet("train langid", flag.ExitOnError)
	s := langidtrain.Defaults()
	s.Log = os.Stdout
	flags.StringVar(&s.Corpus, "corpus", "", "corpus folder (default: $CORPUS, or shared/corpus beside the repository)")
	out := flags.String("out", "", "file to write the model to; none is written without it")
	flags.Uint64Var(&s.Seed, "seed", s.Seed, "seed of all random choices")
	flags.IntVar(&s.Rows, "features", s.Rows, "number of features to keep")
	flags.BoolVar(&s.Hold, "holdout", false, "stop after the fit that keeps a fifth of the repositories back")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.Corpus == "" {
		var err error
		if s.Corpus, err = corpus.Dir(); err != nil {
			return err
		}
	}
	m, err := langidtrain.Train(s)
	if err != nil {
		return err
	}
	if *out == "" {
		return nil
	}
	file, err := m.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, file, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", *out, len(file))
	return nil
}
