// Command corpus builds a corpus like that of this project from Git repositories.
//
//	go run ./cmd/corpus -out ../../../shared/corpus -cache /var/tmp/clones
//
// It clones each repository of the manifest at its commit and cuts snippets and documents out of those whose license allows
// it. Git must be installed.
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
	o := builder.Options{Manifest: builder.Manifest, From: "https://github.com/", Log: os.Stdout}
	flag.StringVar(&o.Out, "out", "", "folder to write the corpus to")
	flag.StringVar(&o.Cache, "cache", "", "folder to keep clones in")
	flag.Parse()
	if o.Out == "" || o.Cache == "" {
		return fmt.Errorf("-out and -cache name the folders of the corpus and of the clones")
	}
	return builder.Build(ctx, o)
}
