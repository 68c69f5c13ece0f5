package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

// trainLinetag fits the model that labels lines as text or code and writes its file.
func trainLinetag(args []string) error {
	flags := flag.NewFlagSet("train linetag", flag.ExitOnError)
	dir := flags.String("corpus", "", "corpus folder (default: $CORPUS, or shared/corpus beside the repository)")
	out := flags.String("out", "", "file to write the model to; none is written without it")
	o := linetagtrain.Defaults()
	o.Log = os.Stdout
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of all random choices")
	flags.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the training documents")
	flags.BoolVar(&o.HoldOut, "holdout", false, "keep a part of the repositories back and print the figures on them")
	flags.Float64Var(&o.DenseRate, "dense-rate", o.DenseRate, "learning rate of the dense parameters")
	flags.Float64Var(&o.TableRate, "table-rate", o.TableRate, "learning rate of the embedding table")
	flags.Float64Var(&o.Floor, "floor", o.Floor, "part of the learning rates that is left at the end")
	flags.Float64Var(&o.Dropout, "dropout", o.Dropout, "part of the content features that is dropped")
	flags.Float64Var(&o.Wordless, "wordless", o.Wordless, "part of the documents that lose all features of words")
	flags.Float64Var(&o.Exchange, "exchange", o.Exchange, "part of the documents that get other code")
	flags.IntVar(&o.Written, "written", o.Written, "how often a pass sees each message that was written for training")
	profile := flags.String("profile", "", "file for a CPU profile")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	o.Corpus = *dir
	if o.Corpus == "" {
		var err error
		if o.Corpus, err = corpus.Dir(); err != nil {
			return err
		}
	}
	m, err := linetagtrain.Train(o)
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
