// Package segmentcommand is the command segment: a program of its own, in caddymodule/language/cmd/segment, and a subcommand of
// Caddy.
package segmentcommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// What help and manual say of the command.
const (
	Usage = "[FILE...|-]"
	Short = "Splits messages into text and code, and names the language of the code"
	Long  = `
Reads messages from files, or from the standard input, and prints their
segments: on a terminal in colors, elsewhere as Markdown in which all code is
in fences, or as JSON, one line for each message, as the segmentation endpoint
responds. Several files are read one after another.

With --label-fences it adds the language to code fences that name none, in
the Markdown files themselves, and changes nothing else in them; what comes
from the standard input goes to the standard output.

The exit status is 1 if a file could not be read or written, or if one would
change with --label-fences --check; the other files are processed nevertheless.`
	examples = `  segment --classify message.txt
  pbpaste | segment
  segment --classify --json *.eml > segments.jsonl
  segment --label-fences README.md docs/*.md
  segment --label-fences --check docs/*.md`
)

// labelConfidence is the confidence that a language needs to be written into a file, unless --min-confidence says otherwise.
const labelConfidence = 0.5

// Setup makes cmd the command, which is typed as name.
func Setup(cmd *cobra.Command, name string) {
	r := &run{}
	flags := cmd.Flags()
	flags.BoolVarP(&r.classify, "classify", "c", false, "name the language of code")
	flags.BoolVar(&r.json, "json", false, "print JSON, one line for each message")
	flags.BoolVar(&r.markdown, "markdown", false, "print Markdown (the default unless on a terminal)")
	flags.BoolVar(&r.ansi, "ansi", false, "print in colors (the default on a terminal)")
	flags.BoolVar(&r.labelFences, "label-fences", false, "add the language to bare code fences of Markdown files")
	flags.BoolVar(&r.check, "check", false, "with --label-fences: change nothing, name the files that would change")
	flags.Float64Var(&r.minConfidence, "min-confidence", segment.LeastConfidence, "0 to 1: less certain languages count as unknown (with --label-fences: 0.5)")
	_ = cmd.RegisterFlagCompletionFunc("min-confidence", cobra.NoFileCompletions)
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "ansi", "label-fences")
	cmd.Example = strings.ReplaceAll(examples, "segment -", name+" -")
	cmd.Example = strings.Replace(cmd.Example, "| segment", "| "+name, 1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if r.labelFences && !flags.Changed("min-confidence") {
			r.minConfidence = labelConfidence
		}
		if r.check && !r.labelFences {
			return errors.New("--check goes with --label-fences")
		}
		if !(r.minConfidence >= 0 && r.minConfidence <= 1) {
			return errors.New("--min-confidence must be from 0 to 1")
		}
		cmd.SilenceUsage = true
		r.in, r.out, r.err = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
		r.ansi = r.ansi || !r.json && !r.markdown && isTerminal(r.out)
		return r.files(cmd.Context(), args)
	}
}

// run is one run of the command.
type run struct {
	classify, json, markdown, ansi, labelFences, check bool
	minConfidence                                      float64

	in       io.Reader
	out, err io.Writer
	buffer   []byte
}

// standardInput stands for itself among the files.
const standardInput = "-"

// files processes all files, or the standard input if there are none.
func (r *run) files(ctx context.Context, files []string) error {
	if len(files) == 0 {
		files = []string{standardInput}
	}
	progress := progress{out: r.err, total: len(files)}
	progress.shown = len(files) > 1 && isTerminal(r.err) && (r.labelFences || !isTerminal(r.out))
	failed, changed := 0, 0
	for i, file := range files {
		progress.at(i+1, file)
		added, err := r.file(ctx, file, len(files) > 1)
		if added > 0 {
			changed++
			progress.clear()
			if file != standardInput {
				fmt.Fprintf(r.err, "%s: %s\n", terminal.Visible(file), r.summary(added))
			}
		}
		if err != nil {
			failed++
			progress.clear()
			fmt.Fprintln(r.err, "segment:", terminal.Visible(err.Error()))
			if ctx.Err() != nil {
				break
			}
		}
	}
	progress.clear()
	switch {
	case failed > 0:
		return fmt.Errorf("%d of %d could not be processed", failed, len(files))
	case r.check && changed > 0:
		return fmt.Errorf("%d of %d would change", changed, len(files))
	}
	return nil
}

// file processes a file, one of several perhaps. It returns how many fences it labelled.
func (r *run) file(ctx context.Context, file string, several bool) (added int, err error) {
	text, err := r.read(file)
	if err != nil {
		return 0, err
	}
	if r.labelFences {
		return r.label(ctx, file, text)
	}
	return 0, r.print(ctx, file, text, several)
}

func (r *run) summary(fences int) string {
	what := "fences"
	if fences == 1 {
		what = "fence"
	}
	if r.check {
		return fmt.Sprintf("%d %s to label", fences, what)
	}
	return fmt.Sprintf("%d %s labelled", fences, what)
}

func (r *run) read(file string) (string, error) {
	if file == standardInput {
		content, err := io.ReadAll(r.in)
		if err != nil {
			return "", fmt.Errorf("standard input: %w", err)
		}
		return string(content), nil
	}
	content, err := os.ReadFile(file)
	return string(content), err
}

// label labels the fences of a file, and returns how many.
func (r *run) label(ctx context.Context, file, text string) (int, error) {
	labelled, added, err := segment.Default().LabelFences(ctx, r.buffer[:0], text, r.minConfidence)
	if err != nil {
		return 0, err
	}
	r.buffer = labelled
	switch {
	case r.check:
		return added, nil
	case file == standardInput:
		_, err = r.out.Write(labelled)
		return added, err
	case added == 0:
		return 0, nil
	}
	if err := replaceFile(file, labelled); err != nil {
		return 0, err
	}
	return added, nil
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
