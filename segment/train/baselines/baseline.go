//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/go-enry/go-enry/v2"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// prediction is what a classifier says of one snippet.
type prediction struct {
	Name   string  `json:"name"`   // in the classifier's own words; empty if it has none
	Micros float64 `json:"micros"` // processor time taken, of all threads, in microseconds
}

// cpu is the processor time that this process has used, in microseconds. Unlike time on the wall it does not depend on
// what else the machine does.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
}

// timed classifies texts one after the other; each prediction gets the mean time.
func timed(texts []string, classify func(string) string) []prediction {
	out := make([]prediction, len(texts))
	start := cpu()
	for i, text := range texts {
		out[i].Name = classify(text)
	}
	mean := (cpu() - start) / float64(max(len(texts), 1))
	for i := range out {
		out[i].Micros = mean
	}
	return out
}

// names says which of our labels each name of a classifier stands for.
type names map[string][]string

// classifier predicts the languages of all snippets.
type classifier struct {
	name    string
	version string
	run     func(own names, texts []string) ([]prediction, error)
}

// classifiers are the baselines, as pinned in go.mod, package.json and requirements.txt.
var classifiers = []classifier{
	{"go-enry", "2.9.6", goEnry},
	{"highlight.js", "11.12.0", func(own names, texts []string) ([]prediction, error) {
		return command(texts, "node", "classify.mjs", "highlight.js", strings.Join(slices.Sorted(maps.Keys(own)), ","))
	}},
	{"vscode-languagedetection", "1.0.23", func(_ names, texts []string) ([]prediction, error) {
		return command(texts, "node", "classify.mjs", "vscode-languagedetection")
	}},
	{"flourite", "1.3.0", func(_ names, texts []string) ([]prediction, error) {
		return command(texts, "node", "classify.mjs", "flourite")
	}},
	{"magika", "1.0.3", func(_ names, texts []string) ([]prediction, error) {
		return command(texts, ".venv/bin/python", "classify.py")
	}},
}

// ours is the classifier of this repository.
func ours(texts []string) []prediction {
	m := langid.Default()
	var scratch langid.Scratch
	var scores []float32
	m.Scores(&scratch, texts[0], nil) // decodes the model
	return timed(texts, func(text string) string {
		scores = m.Scores(&scratch, text, scores)
		best, _ := m.Best(scores)
		return m.Labels()[best]
	})
}

// goEnry asks go-enry for the best of the languages that have a label of ours, first by shebang and modeline, then by its
// classifier.
func goEnry(own names, texts []string) ([]prediction, error) {
	candidates := slices.Sorted(maps.Keys(own))
	classify := func(text string) string {
		content := []byte(text)
		for _, exact := range []func([]byte) (string, bool){enry.GetLanguageByShebang, enry.GetLanguageByModeline} {
			if name, safe := exact(content); safe {
				return name
			}
		}
		name, _ := enry.GetLanguageByClassifier(content, candidates)
		return name
	}
	classify("int main() { return 0; }") // decodes what is decoded late
	return timed(texts, classify), nil
}

// command runs a classifier in another language: it reads a line of JSON for each text and writes one for each prediction.
func command(texts []string, program string, args ...string) ([]prediction, error) {
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, text := range texts {
		if err := e.Encode(text); err != nil {
			return nil, err
		}
	}
	c := exec.Command(program, args...)
	c.Stdin, c.Stderr = &in, os.Stderr
	stdout, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w (install the baselines first: see README.md)", strings.Join(c.Args, " "), err)
	}
	var out []prediction
	for line := range bytes.Lines(stdout) {
		var p prediction
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", args[0], err)
		}
		out = append(out, p)
	}
	if len(out) != len(texts) {
		return nil, fmt.Errorf("%s: %d predictions for %d snippets", strings.Join(c.Args, " "), len(out), len(texts))
	}
	return out, nil
}
