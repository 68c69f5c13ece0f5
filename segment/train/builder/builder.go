// Package builder cuts the records of the corpus out of Git repositories, so that anybody can train and measure the models of
// package segment. The same manifest gives the same files.
//
// The kinds of records and their fields are those of the corpus that this project's models were trained on; the records
// themselves are others, because random numbers choose them. Not made are messages (they come from archives in formats of
// their own), rendered Markdown and reStructuredText, mails, command pages, commits (package segment knows patches by their
// headers), documents composed of prose and code that do not belong together (training composes such in each pass), and the
// Markdown files with their fences of which only the tests make use.
package builder

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
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

// Manifest lists the repositories that the corpus of this project was cut from: a line for each with its name, a commit and
// a split, separated by tabs. Lines that begin with "#" are comments. Those of the split "messages" are archives of posts,
// each in a format of its own, and are left out by [Build].
//
//go:embed manifest.tsv
var Manifest string

// Repository is a repository at a commit, and the part of the corpus that its records belong to.
type Repository struct {
	Name   string // what is appended to Options.From, such as "caddyserver/caddy"
	Commit string // its hash, or the beginning of it
	Split  string // train, train2, train3, dev or messages
}

// repositories reads a manifest.
func repositories(manifest string) (all []Repository, err error) {
	for line := range strings.SplitSeq(manifest, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("manifest: %q has %d cells, not repository, commit and split", line, len(cells))
		}
		all = append(all, Repository{cells[0], cells[1], cells[2]})
	}
	return all, nil
}

// Options of [Build].
type Options struct {
	Manifest string
	From     string    // what a repository's name is appended to: an address or a folder, with the slash at its end
	Cache    string    // folder of clones; it is made, and used again
	Out      string    // folder of the corpus; it is made
	Log      io.Writer // a line for each repository
}

// build is a build in progress.
type build struct {
	Options
	snippets  map[string][]corpus.Snippet
	documents map[string][]corpus.Document
	rows      []string // of the table of repositories
}

// Build writes the files of a corpus, and a README with the license and the number of records of each repository. A
// repository that cannot be cloned, or has no license that allows it, is left out and logged; it is an error if no
// repository is left.
func Build(ctx context.Context, o Options) error {
	all, err := repositories(o.Manifest)
	if err != nil {
		return err
	}
	b := &build{o, map[string][]corpus.Snippet{}, map[string][]corpus.Document{}, nil}
	if there, _ := filepath.Glob(filepath.Join(o.Out, "*.jsonl.gz")); len(there) > 0 {
		return fmt.Errorf("builder: %s holds a corpus already; name another folder", o.Out)
	}
	for _, dir := range []string{o.Cache, o.Out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("builder: %w", err)
		}
	}
	for i, r := range all {
		err := b.repository(ctx, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := "done"
		if err != nil {
			result = "left out: " + err.Error()
		}
		fmt.Fprintf(o.Log, "%d of %d: %s: %s\n", i+1, len(all), r.Name, result)
	}
	if len(b.rows) == 0 {
		return errors.New("builder: no repository of the manifest could be used")
	}
	b.leaveOut()
	for _, split := range slices.Sorted(maps.Keys(b.snippets)) {
		err := errors.Join(write(b.Out, "documents."+split, b.documents[split]), write(b.Out, "snippets."+split, b.snippets[split]))
		if err != nil {
			return err
		}
		fmt.Fprintf(o.Log, "%s: %d snippets, %d documents\n", split, len(b.snippets[split]), len(b.documents[split]))
	}
	// corpus.Training reads the licenses in the table.
	readme := "# Corpus\n\nCut from the repositories below, whose licenses apply to their records.\n\n" +
		"| repository | commit | license | split | snippets | documents |\n|---|---|---|---|---:|---:|\n" + strings.Join(b.rows, "")
	if err := os.WriteFile(filepath.Join(b.Out, "README.md"), []byte(readme), 0o644); err != nil {
		return fmt.Errorf("builder: %w", err)
	}
	return nil
}

// repository adds the records of a repository.
func (b *build) repository(ctx context.Context, r Repository) error {
	if r.Split == "messages" {
		return errors.New("an archive of messages, which has a format of its own")
	}
	dir, err := b.checkout(ctx, r)
	if err != nil {
		return err
	}
	license, err := licenses(dir)
	if err != nil {
		return err
	}
	files, err := sources(ctx, dir)
	if err != nil {
		return err
	}
	byLabel := map[string][]source{}
	for _, s := range files {
		if label := language(s); label != "" {
			byLabel[label] = append(byLabel[label], s)
		}
	}
	var snippets []corpus.Snippet
	var documents []corpus.Document
	for _, s := range byLabel["markdown"] {
		for _, piece := range pieces(s.text) {
			d, tagged := markdownRecords(piece, s, r)
			documents, snippets = append(documents, d...), append(snippets, tagged...)
		}
	}
	seed := fnv.New64a() // the same, whatever the other repositories are
	io.WriteString(seed, r.Name)
	rng := rand.New(rand.NewPCG(1, seed.Sum64()))
	for _, label := range slices.Sorted(maps.Keys(byLabel)) {
		for _, w := range windows(byLabel[label], rng) {
			snippets = append(snippets, corpus.Snippet{Text: w, Lang: label, Source: r.Name, Origin: "file"})
			if strings.Count(w, "\n") >= 5 && rng.IntN(4) == 0 {
				var d document
				d.code(w, label)
				documents = append(documents, d.record("pure-code", r.Name))
			}
		}
	}
	seen := map[string]bool{}
	snippets = slices.DeleteFunc(snippets, func(s corpus.Snippet) bool {
		was := seen[s.Text]
		seen[s.Text] = true
		return was
	})
	b.snippets[r.Split] = append(b.snippets[r.Split], snippets...)
	b.documents[r.Split] = append(b.documents[r.Split], documents...)
	inTable := strings.TrimRight(r.Split, "23") // train2 and train3 are train
	b.rows = append(b.rows, fmt.Sprintf("| %s | %s | %s | %s | %d | %d |\n", r.Name, r.Commit, license, inTable, len(snippets), len(documents)))
	return nil
}

// leaveOut drops what is in dev from the other splits.
func (b *build) leaveOut() {
	dev := overlap{}
	for _, s := range b.snippets["dev"] {
		dev.add(s.Text)
	}
	for _, d := range b.documents["dev"] {
		dev.add(d.Text)
	}
	for _, split := range []string{"train", "train2", "train3"} {
		b.snippets[split] = slices.DeleteFunc(b.snippets[split], func(s corpus.Snippet) bool { return dev.has(s.Text) })
		b.documents[split] = slices.DeleteFunc(b.documents[split], func(d corpus.Document) bool { return dev.has(d.Text) })
	}
}

// write writes records as compressed JSON lines.
func write[T any](dir, name string, records []T) error {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false)
	for i := range records {
		if err := e.Encode(records[i]); err != nil {
			return fmt.Errorf("builder: %s: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("builder: %s: %w", name, err)
	}
	return os.WriteFile(filepath.Join(dir, name+".jsonl.gz"), file.Bytes(), 0o644)
}
