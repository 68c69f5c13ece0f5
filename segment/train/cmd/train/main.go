// Command train fits the embedded models of package segment.
//
//	go run ./cmd/train linetag|langid|mentions [-seed n] [-without fold] [-out file]
//
// The line model takes about five minutes on two idle cores and 1 GB of memory, the language model up to twenty minutes of
// processor time and 7 GB.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/langidtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/mentiontrain"
)

// model is a trained model.
type model interface{ Encode() ([]byte, error) }

// progress prints what is done, and when.
var progress = log.New(os.Stdout, "", log.Ltime)

// trainers train the models.
var trainers = map[string]func(c *corpus.Corpus, seed uint64, without int) (model, error){
	"linetag": func(c *corpus.Corpus, seed uint64, without int) (model, error) {
		o := linetagtrain.Defaults()
		o.Corpus, o.Seed, o.Without, o.Log = c, seed, without, progress
		return linetagtrain.Train(o)
	},
	"langid": func(c *corpus.Corpus, seed uint64, _ int) (model, error) {
		o := langidtrain.Defaults()
		o.Corpus, o.Seed, o.Log = c, seed, progress
		return langidtrain.Train(o)
	},
	"mentions": func(c *corpus.Corpus, _ uint64, _ int) (model, error) { return mentiontrain.Train(c, progress) },
}

func main() {
	if len(os.Args) < 2 || trainers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: train linetag|langid|mentions [flags]; -h after the model lists the flags")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(name string, args []string) error {
	flags := flag.NewFlagSet("train "+name, flag.ExitOnError)
	out := flags.String("out", "", "file to write the model to; none is written without it")
	seed := flags.Uint64("seed", 1, "seed of all random choices")
	without := flags.Int("without", linetagtrain.None, "part of the sources, 0 to 4, that linetag holds back for eval -fold")
	if err := flags.Parse(args); err != nil {
		return err
	}
	data, err := corpus.Open()
	if err != nil {
		return err
	}
	m, err := trainers[name](data, *seed, *without)
	if err != nil || *out == "" {
		return err
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
