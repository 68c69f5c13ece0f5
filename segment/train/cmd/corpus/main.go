// Command corpus builds a corpus like that of this project from Git repositories.
//
//	go run ./cmd/corpus -out ../../../shared/corpus -cache /var/tmp/clones
//
// It clones each repository of the manifest at its commit (-every 20 takes a twentieth of them) and cuts snippets and
// documents out of those whose license allows it. Git must be installed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/builder"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o := builder.Options{From: "https://github.com/", Log: os.Stdout}
	flag.StringVar(&o.Out, "out", "", "folder to write the corpus to")
	flag.StringVar(&o.Cache, "cache", "", "folder to keep clones in")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of all random choices")
	every := flag.Int("every", 1, "take every n-th repository")
	flag.Parse()
	if o.Out == "" || o.Cache == "" {
		return fmt.Errorf("-out and -cache name the folders of the corpus and of the clones")
	}
	all, err := builder.ParseManifest(builder.Manifest)
	if err != nil {
		return err
	}
	for i, r := range all {
		if i%max(*every, 1) == 0 {
			o.Manifest = append(o.Manifest, r)
		}
	}
	return builder.Build(ctx, o)
}
