package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// mutantTimeout is what a mutant may take: one that loops for ever is found out.
const mutantTimeout = 20 * time.Second

// mutant is a snippet's source with one mistake in a shown line.
type mutant struct {
	line     int // 1-based
	old, new string
	source   string
}

// mistakes turn a condition or a sum into another one.
var mistakes = [][2]string{
	{" <= ", " < "},
	{" >= ", " > "},
	{" < ", " <= "},
	{" > ", " >= "},
	{" == ", " != "},
	{" != ", " == "},
	{" === ", " !== "},
	{" !== ", " === "},
	{" && ", " || "},
	{" || ", " && "},
	{" and ", " or "},
	{" or ", " and "},
	{" + ", " - "},
	{" - ", " + "},
	{"if not ", "if "},
	{"if (!", "if ("},
	{"if !", "if "},
}

// mutantsOf returns the mutants of the shown lines: each condition turned into another
// one, and each line left out that is a statement by itself.
func mutantsOf(source string) []mutant {
	lines := strings.Split(source, "\n")
	var mutants []mutant
	hidden := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "snippet:check"):
			hidden = true
		case strings.Contains(line, "snippet:end"):
			hidden = false
		}
		if hidden || strings.Contains(line, "snippet:") || text == "" || isComment(text) {
			continue
		}
		code, comment := withoutComment(line)
		for _, m := range mistakes {
			if changed := strings.Replace(code, m[0], m[1], 1) + comment; changed != line {
				mutants = append(mutants, mutant{i + 1, text, strings.TrimSpace(changed), join(lines[:i], changed, lines[i+1:])})
			}
		}
		if isStatement(text) {
			mutants = append(mutants, mutant{i + 1, text, "", strings.Join(slices.Concat(lines[:i], lines[i+1:]), "\n")})
		}
	}
	return mutants
}

func join(before []string, line string, after []string) string {
	return strings.Join(slices.Concat(before, []string{line}, after), "\n")
}

// withoutComment separates the comment at the end of a line from the code before it.
func withoutComment(line string) (code, comment string) {
	for _, opener := range []string{" // ", " # ", " -- ", " ; ", " % "} {
		if i := strings.LastIndex(line, opener); i >= 0 {
			return line[:i], line[i:]
		}
	}
	return line, ""
}

func isComment(text string) bool {
	return slices.ContainsFunc([]string{"//", "#", "--", "*", "/*", "%", ";", "(*", "\"\"\""}, func(opener string) bool { return strings.HasPrefix(text, opener) })
}

// isStatement reports whether a line opens and closes nothing, and does not only
// import, declare or return.
func isStatement(text string) bool {
	if strings.ContainsAny(text[len(text)-1:], "{[(:,}])\\") && !strings.HasSuffix(text, ")") {
		return false
	}
	if strings.HasPrefix(text, "t.Error") || strings.HasPrefix(text, "t.Fatal") {
		return false // what a test says when it fails
	}
	word, _, _ := strings.Cut(text, " ")
	return !slices.Contains([]string{"import", "from", "using", "package", "return", "var", "let", "const", "end", "fi", "done", "else", "use", "local"}, word)
}

// hunt runs at most limit mutants of each snippet, spread over its lines, and names those that
// its check does not notice. It reports whether there were none.
func (c *checker) hunt(ctx context.Context, results []result, limit int, out io.Writer) bool {
	survived, all := 0, 0
	for _, r := range results {
		if r.outcome != passed || r.recipe.How != howRun {
			continue
		}
		source, err := c.source(r.snippet)
		if err != nil {
			fmt.Fprintln(out, err)
			return false
		}
		mutants := mutantsOf(source)
		for i := range min(limit, len(mutants)) {
			m := mutants[i*len(mutants)/min(limit, len(mutants))]
			all++
			if c.notices(ctx, r, m) {
				continue
			}
			survived++
			fmt.Fprintf(out, "SURVIVED %s:%d: %q as %q\n", r.snippet.Path, m.line, m.old, m.new)
		}
	}
	fmt.Fprintf(out, "%d of %d mutants survived\n", survived, all)
	return survived == 0
}

// notices reports whether the snippet's check fails with the mutant.
func (c *checker) notices(ctx context.Context, r result, m mutant) bool {
	replace, err := r.recipe.placeholders(c.tools, r.snippet.Task.ID, m.source)
	if err != nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, mutantTimeout)
	defer cancel()
	return c.run(ctx, r.recipe, replace, r.snippet, []byte(m.source)) != nil
}
