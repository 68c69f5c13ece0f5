// Command lint-catalogue checks a folder with your own snippet catalogue and says,
// with file and line, what is wrong with it and what could be better.
//
//	go run ./caddymodule/cmd/lint-catalogue [-alone] <folder>
//
// The folder is laid over the built-in catalogue, as personification does it. With
// -alone it has to be complete by itself. The exit status is 1 if personification
// would reject it, 0 if there is nothing but advice.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func main() {
	alone := flag.Bool("alone", false, "do not lay the folder over the built-in catalogue")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: lint-catalogue [-alone] <folder>")
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
	folder := flag.Arg(0)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		fmt.Fprintf(os.Stderr, "lint-catalogue: %s: there is no such folder\n", folder)
		os.Exit(2)
	}
	problems := persona.Lint(base, os.DirFS(folder))
	for _, p := range problems {
		fmt.Println(p)
	}
	if slices.ContainsFunc(problems, func(p persona.Problem) bool { return !p.Advice }) {
		os.Exit(1)
	}
	fmt.Printf("the catalogue can be used; %d pieces of advice\n", len(problems))
}
