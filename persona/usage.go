package persona

import (
	"cmp"
	"slices"
	"strings"
)

// region is what lines of a snippet's file are there for.
type region int

const (
	shownRegion  region = iota // the code
	usageRegion                // how the code is used: shown with it, and can be left out
	hiddenRegion               // only the check needs it
)

// sourceLines are a file's lines without its directives.
type sourceLines struct {
	code    []string
	program []string // code and usage
	mark    int      // index of the comment in program that stands above the usage; -1: none, or code follows it
	usage   bool     // there is usage
	hides   bool     // there is a line in neither
	prints  []printed
}

// printed is a line of the output, and where the file says so.
type printed struct {
	directiveLine
	in region
}

// add takes a line, and reports whether it is shown and not blank.
func (f *sourceLines) add(line string, in region) bool {
	blank := strings.TrimSpace(line) == ""
	switch in {
	case hiddenRegion:
		f.hides = f.hides || !blank
		return false
	case usageRegion:
		f.usage = f.usage || !blank
	case shownRegion:
		f.code = append(f.code, line)
		if f.mark >= 0 && !blank { // a part of the usage that stands above code cannot be cut off
			f.program = append(f.program[:f.mark], f.program[f.mark+1:]...)
			f.mark = -1
		}
	}
	f.program = append(f.program, line)
	return !blank
}

// markUsage takes the comment that tells where the usage begins.
func (f *sourceLines) markUsage(comment string) {
	if f.mark < 0 {
		f.mark = len(f.program)
		f.program = append(f.program, comment)
	}
}

// paragraph is the program with a blank line above the mark of its usage, and none below.
func (f *sourceLines) paragraph() []string {
	if f.mark < 0 {
		return f.program
	}
	above, usage := slices.Clone(f.program[:f.mark]), f.program[f.mark+1:]
	if f.mark > 0 && above[f.mark-1] != "" {
		above = append(above, "")
	}
	for len(usage) > 0 && usage[0] == "" {
		usage = usage[1:]
	}
	return slices.Concat(above, f.program[f.mark:f.mark+1], usage)
}

// fill sets what readers see.
func (f *sourceLines) fill(s *Snippet, columns bool) {
	tidy := func(lines []string) string {
		lines = withoutBlankEnds(lines)
		if !columns {
			lines = withoutCommonIndent(lines)
		}
		return strings.Join(lines, "\n")
	}
	s.Code, s.HasHidden = tidy(f.code), f.hides
	if f.usage {
		s.Program = tidy(f.paragraph())
	}
	for _, line := range f.prints {
		text := strings.TrimRight(line.argument, " \t\r")
		s.Prints = append(s.Prints, text)
		if !f.hides || line.in == usageRegion {
			if s.Output == nil {
				s.outputComments = append(s.outputComments, line.comment("Prints:"))
			}
			s.Output = append(s.Output, text)
			s.outputComments = append(s.outputComments, line.comment(text))
		}
	}
}

// WithUsage returns the code as one file that runs, with a comment "Usage:" above the lines that use it, and at the end a comment
// "Prints:" and what they print, as comments. It is Code where the snippet has no such lines.
func (s *Snippet) WithUsage() string {
	text := s.program()
	if len(s.outputComments) == 0 {
		return text
	}
	return text + "\n\n" + strings.Join(s.outputComments, "\n")
}

// program is the file that prints Output.
func (s *Snippet) program() string { return cmp.Or(s.Program, s.Code) }

// isRunByProduct reports whether code without usage is run by what it is about, as a test is by its framework, which reports in
// words of its own.
func (s *Snippet) isRunByProduct() bool {
	return s.Program == "" && slices.ContainsFunc(s.About, func(p *Product) bool { return p.Into != "" && !p.Native })
}

// into tells what to do with code that does not run alone, and how to save what does; empty: as one likes.
func (s *Snippet) into() string {
	if s.Program != "" || s.Output != nil {
		return cmp.Or(s.Into, s.Language.Program)
	}
	into := s.Into
	for _, p := range s.About {
		into = cmp.Or(into, p.Into)
	}
	return cmp.Or(into, s.Language.Into)
}
