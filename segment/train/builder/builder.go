// Package builder cuts the records of the corpus out of Git repositories, so that anybody can train and measure the models of
// package segment. The same manifest and seed give the same files.
//
// The kinds of records, their fields and the rules by which they are cut are those of the corpus that this project's models
// were trained on; the records themselves are others, because random numbers choose them. Not made are messages (they
// come from archives in formats of their own), rendered reStructuredText, mails, command pages, and the Markdown files with
// their fences of which only the tests make use.
package builder

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Options of [Build].
type Options struct {
	Manifest []Repository
	From     string // what a repository's name is appended to: an address or a folder, with the slash at its end
	Cache    string // folder of clones; it is made, and used again
	Out      string // folder of the corpus; it is made
	Seed     uint64
	Log      io.Writer // a line for each repository
}

// build is a build in progress.
type build struct {
	Options
	snippets  map[corpus.Split][]corpus.Snippet
	documents map[corpus.Split][]corpus.Document
	rows      []string // of the table of repositories
}

// Build writes the files of a corpus, and a README with the license and the number of records of each repository. A
// repository that cannot be cloned, or has no license that allows it, is left out and logged; it is an error if no
// repository is left.
func Build(ctx context.Context, o Options) error {
	b := &build{o, map[corpus.Split][]corpus.Snippet{}, map[corpus.Split][]corpus.Document{}, nil}
	if there, _ := filepath.Glob(filepath.Join(o.Out, "*.jsonl.gz")); len(there) > 0 {
		return fmt.Errorf("builder: %s holds a corpus already; name another folder", o.Out)
	}
	for _, dir := range []string{o.Cache, o.Out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("builder: %w", err)
		}
	}
	for i, r := range o.Manifest {
		err := b.repository(ctx, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := "done"
		if err != nil {
			result = "left out: " + err.Error()
		}
		fmt.Fprintf(o.Log, "%d of %d: %s: %s\n", i+1, len(o.Manifest), r.Name, result)
	}
	if len(b.rows) == 0 {
		return errors.New("builder: no repository of the manifest could be used")
	}
	b.leaveOut()
	for _, split := range slices.Sorted(maps.Keys(b.snippets)) {
		rng := b.rng("compose " + string(split))
		documents := append(b.documents[split], compose(b.documents[split], b.snippets[split], rng)...)
		if err := write(b.file("documents", split), documents); err != nil {
			return err
		}
		if err := write(b.file("snippets", split), b.snippets[split]); err != nil {
			return err
		}
		fmt.Fprintf(o.Log, "%s: %d snippets, %d documents\n", split, len(b.snippets[split]), len(documents))
	}
	return b.readme()
}

func (b *build) file(kind string, split corpus.Split) string {
	return filepath.Join(b.Out, kind+"."+string(split)+".jsonl.gz")
}

// rng is a source of random numbers for a part of the work, whatever the others are.
func (b *build) rng(part string) *rand.Rand {
	h := fnv.New64a()
	io.WriteString(h, part)
	return rand.New(rand.NewPCG(b.Seed, h.Sum64()))
}

// repository adds the records of a repository.
func (b *build) repository(ctx context.Context, r Repository) error {
	if r.Split == messages {
		return errors.New("an archive of messages, which has a format of its own")
	}
	dir, err := b.checkout(ctx, r)
	if err != nil {
		return err
	}
	license, ok := licenses(dir)
	if !ok {
		return fmt.Errorf("no license in its root that allows it (%s)", license)
	}
	rng := b.rng(r.Name)
	byLabel := map[string][]source{}
	var snippets []corpus.Snippet
	var documents []corpus.Document
	err = sources(dir, func(s source) {
		label := language(s)
		if label == "" {
			return
		}
		byLabel[label] = append(byLabel[label], s)
		if label != "markdown" {
			return
		}
		for _, piece := range pieces(s.text) {
			if d, tagged, ok := markdown(piece, s, r, rng); ok {
				documents = append(documents, d)
				snippets = append(snippets, tagged...)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, label := range slices.Sorted(maps.Keys(byLabel)) {
		for _, w := range windows(byLabel[label], rng) {
			snippets = append(snippets, corpus.Snippet{Text: w.text, Lang: label, Source: r.Name, Origin: "file"})
			if w.length >= 2 && rng.IntN(4) == 0 {
				documents = append(documents, record(corpus.Document{Kind: "pure-code", Source: r.Name}, func(d *document) { d.code(w.text, label) }))
			}
		}
	}
	history, err := history(ctx, dir, r.Commit, commits)
	if err != nil {
		return err
	}
	for _, c := range history {
		d, s := commitRecords(c, r)
		documents, snippets = append(documents, d...), append(snippets, s...)
	}
	snippets = once(snippets)
	b.snippets[r.Split] = append(b.snippets[r.Split], snippets...)
	b.documents[r.Split] = append(b.documents[r.Split], documents...)
	inTable := corpus.Train // of the extensions, too
	if r.Split == corpus.Dev {
		inTable = corpus.Dev
	}
	b.rows = append(b.rows, fmt.Sprintf("| %s | %s | %s | %s | %d | %d |\n", r.Name, r.Commit, license, inTable, len(snippets), len(documents)))
	return nil
}

// once leaves out what is there already.
func once(snippets []corpus.Snippet) []corpus.Snippet {
	seen := map[string]bool{}
	return slices.DeleteFunc(snippets, func(s corpus.Snippet) bool {
		was := seen[s.Text]
		seen[s.Text] = true
		return was
	})
}

// leaveOut drops what is in dev from the other splits.
func (b *build) leaveOut() {
	dev := overlap{}
	for _, s := range b.snippets[corpus.Dev] {
		dev.add(s.Text)
	}
	for _, d := range b.documents[corpus.Dev] {
		dev.add(d.Text)
	}
	for _, split := range []corpus.Split{corpus.Train, corpus.Train2, corpus.Train3} {
		b.snippets[split] = slices.DeleteFunc(b.snippets[split], func(s corpus.Snippet) bool { return dev.has(s.Text) })
		b.documents[split] = slices.DeleteFunc(b.documents[split], func(d corpus.Document) bool { return dev.has(d.Text) })
	}
}

// readme writes the README, whose table [corpus.Training.Licenses] reads.
func (b *build) readme() error {
	text := "# Corpus\n\nCut from the repositories below, whose licenses apply to their records.\n\n" +
		"| repository | commit | license | split | snippets | documents |\n|---|---|---|---|---:|---:|\n" + strings.Join(b.rows, "")
	if err := os.WriteFile(filepath.Join(b.Out, "README.md"), []byte(text), 0o644); err != nil {
		return fmt.Errorf("builder: %w", err)
	}
	return nil
}

// write writes records as compressed JSON lines.
func write[T any](path string, records []T) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("builder: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := gzip.NewWriter(f)
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	for i := range records {
		if err := e.Encode(records[i]); err != nil {
			return fmt.Errorf("builder: %s: %w", path, err)
		}
	}
	return z.Close()
}
