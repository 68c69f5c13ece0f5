package persona

import (
	"fmt"
	"strings"
)

// Problem is a mistake in a catalogue's files.
type Problem struct {
	File    string // relative to the catalogue's folder
	Line    int    // 1-based; 0 if the whole file or folder is meant
	Message string // what is wrong, and what to do
	Advice  bool   // the catalogue can be used, but would be better for its readers
}

// String has the form that editors and terminals turn into a link: file:line: message.
func (p Problem) String() string {
	place, kind := p.File, ""
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if p.Advice {
		kind = "advice: "
	}
	return place + ": " + kind + p.Message
}

// LoadError lists all mistakes that keep a catalogue from being used.
type LoadError struct{ Problems []Problem }

const shownProblems = 10

func (e *LoadError) Error() string {
	var shown []string
	for _, p := range e.Problems[:min(len(e.Problems), shownProblems)] {
		shown = append(shown, p.String())
	}
	if more := len(e.Problems) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return "persona catalogue: " + strings.Join(shown, "; ")
}
