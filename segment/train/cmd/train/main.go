// Command train fits the embedded models of package segment.
//
//	go run ./cmd/train linetag [-corpus folder] [-out file] [-seed n] [-epochs n] [-written n] [-holdout]
//	go run ./cmd/train langid [-corpus folder] [-out file] [-seed n] [-features n] [-holdout]
//
// The lines model takes three minutes on two cores and 0.6 GB of memory, the language model about eight minutes and
// 11 GB (with -holdout half of that).
package main

import (
	"fmt"
	"os"
)

// models are the sub-commands: the models that can be trained.
var models = map[string]func(args []string) error{
	"linetag": trainLinetag,
	"langid":  trainLangid,
}

func main() {
	if len(os.Args) < 2 || models[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: train linetag|langid [flags]; with -h after the name the flags are listed")
		os.Exit(2)
	}
	if err := models[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}
