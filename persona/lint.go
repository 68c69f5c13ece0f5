package persona

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What people can read at a glance.
const (
	fewestLines = 5
	mostLines   = 35
	widestLine  = 120 // characters
	widestTitle = 48  // characters, without the language

	mostUsage  = 14 // lines that are not blank
	mostOutput = 6  // lines

	fewestSentences = 2 // of a description
	mostSentences   = 4
)

// Lint reads a catalogue, laid over base as [Load] does, and returns everything that is
// wrong with it, and what could be better ([Problem.Advice]), in the order of its files.
func Lint(base *Catalogue, files fs.FS) []Problem {
	c, problems := load(base, files)
	for _, s := range c.snippets {
		if base == nil || !base.hasFile(s) {
			problems = append(problems, adviseSnippet(s)...)
		}
	}
	for _, t := range c.tasks {
		if base == nil || !slices.ContainsFunc(base.tasks, func(b *Task) bool { return b.ID == t.ID }) {
			problems = append(problems, c.adviseTask(t)...)
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	return problems
}

// hasFile reports whether the snippet is the catalogue's own.
func (c *Catalogue) hasFile(s *Snippet) bool {
	return slices.ContainsFunc(c.snippets, func(b *Snippet) bool { return b.Path == s.Path && b.Code == s.Code && b.Description == s.Description })
}

func adviseSnippet(s *Snippet) (problems []Problem) {
	advise := func(isWrong bool, format string, args ...any) {
		if isWrong {
			problems = append(problems, Problem{File: s.Path, Message: fmt.Sprintf(format, args...), Advice: true})
		}
	}
	n := strings.Count(s.Code, "\n") + 1
	advise(n < fewestLines || n > mostLines, "shows %d lines: %d to %d are read at a glance", n, fewestLines, mostLines)
	for line := range strings.SplitSeq(s.program(), "\n") {
		n := utf8.RuneCountInString(line)
		advise(n > widestLine, "a shown line has %d characters, %d fit: %s", n, widestLine, strings.TrimSpace(line))
	}
	n = notBlank(s.Program) - notBlank(s.Code) - 1 // the mark is no line of it
	advise(n > mostUsage, "its usage has %d lines: %d are read at a glance", n, mostUsage)
	n = len(s.Output)
	advise(s.Program != "" && n > mostOutput, "its usage prints %d lines: %d are read at a glance", n, mostOutput)
	line := usageMark.FindString(s.Code)
	advise(line != "", "shows a line %q, where clients cut the usage off: write it otherwise", line)
	statement := changesMeaning(s)
	advise(statement != "", "hides %q before what is shown, which then means something else to whoever reads it: show it", statement)
	claim := unmeasuredClaim(s)
	advise(claim != "", "claims %q: measure it in the check, and say so with snippet:measures", claim)
	version := neededVersion(s)
	advise(version != "" && s.Needs == "", "uses what came with %s: add snippet:needs %s", version, version)
	absent := absentNames(s)
	advise(len(absent) > 0, "does not have most of the names that the description explains: %s", strings.Join(absent, ", "))
	advise(s.Language.ID == "html" && strings.Contains(s.Code, "<head>") && !strings.Contains(s.Code, "<meta charset="),
		"is a page that does not say how it is encoded: add <meta charset=\"utf-8\"> as the first element of its head")
	n = utf8.RuneCountInString(s.Title)
	advise(n > widestTitle, "the title has %d characters, %d fit a list: %s", n, widestTitle, s.Title)
	message := adviseDescription(s.Description)
	advise(message != "" && s.Description != s.Task.Description, "%s", message)
	advise(s.Doc == (Link{}), "names no documentation: add snippet:doc")
	return problems
}

// usageMark is a comment that stands above a usage.
var usageMark = regexp.MustCompile(`(?m)^\W*Usage:\W*$`)

// notBlank counts the lines of text that are not blank.
func notBlank(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// adviseDescription says what could be better about a description's length, or nothing.
func adviseDescription(text string) string {
	n := len(sentenceEnd.FindAllString(text, -1))
	if n >= fewestSentences && n <= mostSentences {
		return ""
	}
	return fmt.Sprintf("the description has %s: %d to %d explain the code", count(n, "sentence"), fewestSentences, mostSentences)
}

var sentenceEnd = regexp.MustCompile(`[.!?]["”)]?(\s|$)`)

func (c *Catalogue) adviseTask(t *Task) (problems []Problem) {
	advise := func(message string) {
		problems = append(problems, Problem{File: "tasks/" + t.ID + "/task.toml", Message: message, Advice: true})
	}
	if len(t.Audience) == 0 {
		advise("names no audience: nobody in particular will be shown it")
		return problems
	}
	if message := adviseDescription(t.Description); message != "" {
		advise(message)
	}
	for _, audience := range t.Audience {
		if strings.TrimSpace(audience.Why) == "" {
			advise("an audience without a why: say in a sentence what it helps these people with")
		}
	}
	if !slices.ContainsFunc(c.snippets, func(s *Snippet) bool { return s.Task == t }) {
		advise("has no snippet in any language")
	}
	return problems
}
