package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
)

// measureRevision runs this command as it was in a revision of the repository, models and rules included, on the same
// data. It checks the revision out into a temporary folder.
func measureRevision(revision, dir, split string) (*report, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	temporary, err := os.MkdirTemp("", "revision")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	tree := filepath.Join(temporary, "tree")
	output := func(name string, args ...string) ([]byte, error) {
		command := exec.CommandContext(ctx, name, args...)
		var failure strings.Builder
		command.Stderr = &failure
		out, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", strings.Join(command.Args, " "), err, strings.TrimSpace(failure.String()))
		}
		return out, nil
	}
	if _, err := output("git", "worktree", "add", "--detach", tree, revision); err != nil {
		return nil, fmt.Errorf("to compare with an earlier version its revision must be in this clone (git fetch --unshallow gets all): %w", err)
	}
	defer output("git", "worktree", "remove", "--force", tree)
	out, err := output("go", "-C", filepath.Join(tree, "segment", "train"), "run", "./cmd/eval", "-json", "-corpus", dir, "-split", split)
	if err != nil {
		return nil, err
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("the figures of revision %s: %w", revision, err)
	}
	return &r, nil
}

// printComparison prints the figures of an earlier version beside those of this one.
func printComparison(w io.Writer, before, now *report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "text and code\tdocuments\tline %: before\tnow\tboundary F1: before\tnow\texact %: before\tnow")
	segmentationRows(t, "documents: ", before.Segmentation.Corrected, now.Segmentation.Corrected)
	if before.Messages != nil && now.Messages != nil {
		segmentationRows(t, "messages: ", before.Messages.All, now.Messages.All)
		segmentationRows(t, "pieces: ", before.Messages.Pieces, now.Messages.Pieces)
		fmt.Fprintf(t, "AUC of pieces of one line\t%d\t\t\t\t\t%.4f\t%.4f\n", now.Messages.Lines, before.Messages.AUC, now.Messages.AUC)
	}
	if before.Language != nil && now.Language != nil {
		fmt.Fprintln(t, "\nlanguages\tsnippets\tright %: before\tnow")
		languageRows(t, before.Language.Corrected, now.Language.Corrected)
	}
	return t.Flush()
}

func segmentationRows(w io.Writer, title string, before, now []segmentation.Figures) {
	for _, n := range now {
		i := slices.IndexFunc(before, func(b segmentation.Figures) bool { return b.Slice == n.Slice })
		if i < 0 {
			continue
		}
		b := before[i]
		f1 := "-\t-"
		if b.Boundary != nil && n.Boundary != nil {
			f1 = fmt.Sprintf("%.1f\t%.1f", *b.Boundary, *n.Boundary)
		}
		fmt.Fprintf(w, "%s%s\t%d\t%.2f\t%.2f\t%s\t%.1f\t%.1f\n", title, n.Slice, n.Documents, b.Line, n.Line, f1, b.Exact, n.Exact)
	}
}

func languageRows(w io.Writer, before, now []classification.Figures) {
	for _, n := range now {
		i := slices.IndexFunc(before, func(b classification.Figures) bool { return b.Lines == n.Lines })
		if i >= 0 {
			fmt.Fprintf(w, "%s lines\t%d\t%.1f\t%.1f\n", n.Lines, n.Snippets, before[i].Accuracy, n.Accuracy)
		}
	}
}
