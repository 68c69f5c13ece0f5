// Command train fits the embedded models of package segment.
//
//	go run ./cmd/train linetag [flags]
//	go run ./cmd/train langid [flags]
//	go run ./cmd/train mentions [flags]
//
// With -h after the model the flags are listed. The line model takes about five minutes on two idle cores and 1 GB of memory,
// the language model some nine minutes of processor time and 6 GB.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	languages "github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/langidtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/mentiontrain"
)

// model is a trained model.
type model interface{ Encode() ([]byte, error) }

// trainer defines the flags of a model's own and returns what trains it.
type trainer func(flags *flag.FlagSet) func(common) (model, error)

// common are the options that all models have.
type common struct {
	corpus  *corpus.Corpus
	seed    uint64
	holdOut bool
	log     io.Writer
}

// trainers are those of the models that can be trained.
var trainers = map[string]trainer{"linetag": linetag, "langid": langid, "mentions": mentions}

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
	dir := flags.String("corpus", "", corpus.FlagUsage)
	out := flags.String("out", "", "file to write the model to; none is written without it")
	c := common{log: os.Stdout}
	flags.Uint64Var(&c.seed, "seed", 1, "seed of all random choices")
	flags.BoolVar(&c.holdOut, "holdout", false, "hold a part of the repositories, and of the sources of messages, back and print the figures on them")
	train := trainers[name](flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if c.corpus, err = corpus.Open(*dir); err != nil {
		return err
	}
	m, err := train(c)
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

// additions defines the flags of what a model is trained on besides the first corpus.
func additions(flags *flag.FlagSet, a *corpus.Additions) {
	flags.BoolVar(&a.Repositories, corpus.RepositoriesFlag, a.Repositories, corpus.RepositoriesUsage)
	flags.BoolVar(&a.Messages, corpus.MessagesFlag, a.Messages, corpus.MessagesUsage)
}

func linetag(flags *flag.FlagSet) func(common) (model, error) {
	o := linetagtrain.Defaults()
	flags.IntVar(&o.Networks, "networks", o.Networks, "how many networks are trained; the model averages their scores")
	flags.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the training documents")
	flags.Float64Var(&o.DenseRate, "dense-rate", o.DenseRate, "learning rate of the dense parameters")
	flags.Float64Var(&o.TableRate, "table-rate", o.TableRate, "learning rate of the embedding table")
	flags.Float64Var(&o.Floor, "floor", o.Floor, "part of the learning rates that is left at the end")
	flags.Float64Var(&o.Dropout, "dropout", o.Dropout, "part of the content features that is dropped")
	flags.Float64Var(&o.Wordless, "wordless", o.Wordless, "part of the documents that lose all features of words")
	flags.Float64Var(&o.Exchange, "exchange", o.Exchange, "part of the documents whose code is replaced")
	flags.IntVar(&o.Synthetic, "synthetic", o.Synthetic, "how often a pass sees each synthetic message")
	flags.IntVar(&o.Messages, "message-passes", o.Messages, "how often a pass sees each message that people sent")
	flags.Float64Var(&o.Chat, "chat", o.Chat, "part of the messages that people sent that are written as in a chat")
	flags.Float64Var(&o.Average, "average", o.Average, "passes at the end whose parameters are averaged")
	additions(flags, &o.Additions)
	return func(c common) (model, error) {
		o.Corpus, o.Seed, o.HoldOut, o.Log = c.corpus, c.seed, c.holdOut, c.log
		return linetagtrain.Train(o)
	}
}

func langid(flags *flag.FlagSet) func(common) (model, error) {
	o := langidtrain.Defaults()
	flags.IntVar(&o.Features, "features", o.Features, "number of features to keep")
	flags.IntVar(&o.Fit.Hidden, "hidden", o.Fit.Hidden, "number of units of the hidden layer")
	flags.IntVar(&o.Windows, "windows", o.Windows, "windows cut out of each example")
	flags.Float64Var(&o.Fit.Windows, "window-weight", o.Fit.Windows, "weight of a window")
	flags.Float64Var(&o.Fit.Epochs, "epochs", o.Fit.Epochs, "passes over the examples")
	flags.IntVar(&o.Fits, "fits", o.Fits, "fits whose parameters are averaged")
	fold := flags.Int("fold", o.Folds[0], "with -holdout: the fifth of the repositories that is held back, 0 to 4")
	additions(flags, &o.Additions)
	return func(c common) (model, error) {
		o.Corpus, o.Seed, o.HoldOut, o.Log = c.corpus, c.seed, c.holdOut, c.log
		if o.HoldOut {
			o.Folds = []int{*fold}
		}
		return langidtrain.Train(o)
	}
}

func mentions(flags *flag.FlagSet) func(common) (model, error) {
	a := corpus.Additions{Repositories: true, Messages: true}
	additions(flags, &a)
	file := flags.String("language", "", "with -holdout: file of a language model that was trained with -holdout too, for what the code alone says")
	return func(c common) (model, error) {
		o := mentiontrain.Options{Corpus: c.corpus, Additions: a, HoldOut: c.holdOut, Log: c.log}
		if !o.HoldOut {
			return mentiontrain.Train(o)
		}
		b, err := os.ReadFile(*file)
		if err != nil {
			return nil, fmt.Errorf("-holdout needs -language, a model that has not seen these repositories either (train langid -holdout -out FILE): %w", err)
		}
		if o.Language, err = languages.Decode(b); err != nil {
			return nil, err
		}
		return mentiontrain.Train(o)
	}
}
