// Command train fits the embedded models of package segment.
//
//	go run ./cmd/train linetag|langid|mentions [-seed n] [-without fold] [-out file]
//
// The line model takes about five minutes on two idle cores and 1 GB of memory, the language model up to half an hour of
// processor time and 10 GB.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/langidtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/mentiontrain"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("name a model: linetag, langid or mentions; -h after it lists the flags")
	}
	name := args[0]
	flags := flag.NewFlagSet("train "+name, flag.ExitOnError)
	out := flags.String("out", "", "file to write the model to; none is written without it")
	seed := flags.Uint64("seed", 1, "seed of all random choices")
	without := flags.Int("without", linetagtrain.None, "part of the sources, 0 to 4, that linetag holds back for eval -fold")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	data, err := corpus.Open()
	if err != nil {
		return err
	}
	progress := log.New(os.Stdout, "", log.Ltime)
	var model interface{ Encode() ([]byte, error) }
	switch name {
	case "linetag":
		o := linetagtrain.Defaults()
		o.Corpus, o.Seed, o.Without, o.Log = data, *seed, *without, progress
		model, err = linetagtrain.Train(o)
	case "langid":
		o := langidtrain.Defaults()
		o.Corpus, o.Seed, o.Log = data, *seed, progress
		model, err = langidtrain.Train(o)
	case "mentions":
		model, err = mentiontrain.Train(data, progress)
	default:
		err = fmt.Errorf("there is no model %q: name linetag, langid or mentions", name)
	}
	if err != nil || *out == "" {
		return err
	}
	file, err := model.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, file, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", *out, len(file))
	return nil
}
