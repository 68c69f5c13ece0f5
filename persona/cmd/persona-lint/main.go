// Persona-lint checks a folder of one's own personification catalogue and says,
// with file and line, what is wrong with it and what could be better.
//
//	go run ./persona/cmd/persona-lint [-alone] <folder>
//
// The folder is laid over the built-in catalogue, as the gateway does it; with
// -alone it has to be a complete one. The exit status is 1 if the gateway
// would refuse it, 0 if there is nothing but advice.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
	"github.com/identity-gateway/caddy-identity-gateway/segment/wire"
)

func main() {
	alone := flag.Bool("alone", false, "do not lay the folder over the built-in catalogue")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: persona-lint [-alone] <folder>")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	var base *persona.Catalogue
	if !*alone {
		base = persona.Default()
	}
	files := os.DirFS(flag.Arg(0))
	problems := persona.LintOver(base, files)
	if c, err := persona.Load(base, files); err == nil {
		var wrong *persona.LoadError
		if errors.As(c.CheckExt(isWireValue), &wrong) {
			problems = append(problems, wrong.Problems...)
		}
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	if slices.ContainsFunc(problems, func(p persona.Problem) bool { return !p.Advice }) {
		os.Exit(1)
	}
	fmt.Printf("the catalogue can be used; %d pieces of advice\n", len(problems))
}

func isWireValue(ext string) bool { return wire.ClassificationSpecific(ext).Valid() }
