package persona

import (
	"fmt"
	"slices"
	"strings"
)

// parsedSnippet is what a snippet's source file says. Its title, description and reason are in place of the task's; they are
// often empty.
type parsedSnippet struct {
	Snippet
	about []aboutName
}

// aboutName names a product that the snippet is about.
type aboutName struct {
	name string
	line int // 1-based
}

// snippetError is a mistake in a snippet's directives.
type snippetError struct {
	line    int // 1-based
	message string
}

// parseSnippet separates what a source file shows, and the usage that is shown with it, from its directives and from what is only
// there for the check. The indentation stays where columns matter. The grammar is in catalogue/README.md.
func parseSnippet(src string, columns bool) (parsedSnippet, *snippetError) {
	var parsed parsedSnippet
	f := sourceLines{mark: -1}
	var setup strings.Builder // hidden lines after which nothing was shown yet
	in := shownRegion
	for i, line := range strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n") {
		d, ok := directive(line)
		if !ok {
			if in == hiddenRegion {
				setup.WriteString(line)
				setup.WriteByte('\n')
			}
			if f.add(strings.TrimRight(line, " \t\r"), in) && in == shownRegion {
				parsed.setup = setup.String()
			}
			continue
		}
		mistake := ""
		switch d.name {
		case "check":
			in = hiddenRegion
		case "usage":
			in = usageRegion
			f.markUsage(d.comment("Usage:"))
		case "end":
			if in == shownRegion {
				mistake = "snippet:end without a snippet:check or snippet:usage before it"
			}
			in = shownRegion
		case "prints":
			f.prints = append(f.prints, printed{d, in})
		default:
			mistake = parsed.set(d.name, d.argument, i+1)
		}
		if mistake != "" {
			return parsedSnippet{}, &snippetError{i + 1, mistake}
		}
	}
	f.fill(&parsed.Snippet, columns)
	if parsed.Code == "" {
		return parsedSnippet{}, &snippetError{1, "nothing of the file is shown: end the check region with snippet:end"}
	}
	return parsed, nil
}

// missing is what is said of directives without the argument that they need.
var missing = map[string]string{
	"measures":    "the claim that is measured is missing",
	"into":        "a sentence is missing: snippet:into Save it as report_test.go: go test",
	"needs":       "what it needs at least is missing: snippet:needs Go 1.22",
	"description": "a text is missing",
	"why":         "a sentence is missing",
	"title":       "a text is missing",
	"about":       "a name of products.toml is missing: snippet:about Django",
}

// set takes what a directive of a line says, and returns what is wrong with it.
func (p *parsedSnippet) set(name, argument string, line int) (mistake string) {
	value := strings.TrimSpace(argument)
	if what, ok := missing[name]; ok && value == "" {
		return "snippet:" + name + ": " + what
	}
	switch name {
	case "measures":
		p.measures = append(p.measures, value)
	case "needs":
		p.Needs = value
	case "description": // may go on in a further directive
		p.Description = strings.TrimPrefix(p.Description+" "+value, " ")
	case "why": // likewise
		p.Reason = strings.TrimPrefix(p.Reason+" "+value, " ")
	case "into":
		p.Into = value
	case "title":
		p.Title = value
	case "about":
		p.about = append(p.about, aboutName{value, line})
	case "doc":
		return p.setDoc(value)
	default:
		return fmt.Sprintf("snippet:%s: expected check, usage, end, prints, about, doc, title, description, why, needs, into or measures", name)
	}
	return ""
}

func (p *parsedSnippet) setDoc(value string) (mistake string) {
	address, name, _ := strings.Cut(value, " ")
	name = strings.TrimSpace(name)
	switch {
	case p.Doc != (Link{}):
		return "snippet:doc: there is one already"
	case !isWebAddress(address):
		return fmt.Sprintf("snippet:doc: %q: expected an absolute https address, then the page's name", address)
	case name == "":
		return "snippet:doc: the page's name is missing after its address"
	}
	p.Doc = Link{Name: name, URL: address}
	return ""
}

const directivePrefix = "snippet:"

// commentClosers are the comments that end on their line, by their opener.
var commentClosers = []struct{ opener, closer string }{
	{"<!--", "-->"}, {"/*", "*/"}, {"(*", "*)"}, {"{-", "-}"}, {"<#", "#>"}, {"#=", "=#"}, {"%{", "%}"}, {"{#", "#}"}, {"--[[", "]]"},
}

// directiveLine is a line such as "// snippet:prints 3".
type directiveLine struct {
	opener, closer string // of the comment, with the white space before and after them
	name, argument string
}

// comment is a line of the same comment with another text.
func (d directiveLine) comment(text string) string {
	return strings.TrimRight(d.opener+text+d.closer, " \t\r")
}

// directive reads a directive. Whatever punctuation precedes the word opens the comment; one space after the name is a separator.
func directive(line string) (d directiveLine, ok bool) {
	at := strings.Index(line, directivePrefix)
	if at < 0 || strings.ContainsFunc(line[:at], isWordRune) {
		return directiveLine{}, false
	}
	d.opener = line[:at]
	opener := strings.TrimSpace(d.opener)
	rest := strings.TrimRight(line[at+len(directivePrefix):], " \t\r")
	for _, c := range commentClosers {
		if opener == c.opener || opener == "/**" && c.opener == "/*" {
			text := strings.TrimRight(strings.TrimSuffix(rest, c.closer), " \t")
			rest, d.closer = text, rest[len(text):]
		}
	}
	d.name, d.argument, _ = strings.Cut(rest, " ")
	return d, true
}

func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
}

func withoutBlankEnds(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	// Where a hidden region was taken out, the blank lines around it meet.
	kept := lines[:0:0]
	for i, line := range lines {
		if line == "" && i > 1 && lines[i-1] == "" && lines[i-2] == "" {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// withoutCommonIndent removes the white space that all lines begin with.
func withoutCommonIndent(lines []string) []string {
	first := slices.IndexFunc(lines, func(line string) bool { return line != "" })
	if first < 0 {
		return lines
	}
	common := lines[first][:len(lines[first])-len(strings.TrimLeft(lines[first], " \t"))]
	for _, line := range lines {
		for line != "" && !strings.HasPrefix(line, common) {
			common = common[:len(common)-1]
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, common)
	}
	return lines
}
