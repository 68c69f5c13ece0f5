package persona

import (
	"fmt"
	"strings"
)

// parsedSnippet is what a snippet's source file says. Its title, description and
// reason are in place of the task's; they are often empty.
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

// parseSnippet separates what a source file shows from its directives and from
// what is only there for the check. The indentation stays where columns matter. The grammar is in
// catalogue/README.md.
func parseSnippet(src string, columns bool) (parsedSnippet, *snippetError) {
	var parsed parsedSnippet
	var shown []string
	hidden := false
	var setup strings.Builder // hidden lines after which nothing was shown yet
	for i, line := range strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n") {
		name, argument, ok := directive(line)
		if !ok {
			switch {
			case hidden:
				setup.WriteString(line)
				setup.WriteByte('\n')
			case strings.TrimSpace(line) != "":
				parsed.setup = setup.String()
				fallthrough
			default:
				shown = append(shown, strings.TrimRight(line, " \t\r"))
			}
			continue
		}
		mistake := ""
		switch name {
		case "check":
			hidden = true
		case "end":
			if !hidden {
				mistake = "snippet:end without a snippet:check before it"
			}
			hidden = false
		default:
			mistake = parsed.set(name, argument, i+1)
		}
		if mistake != "" {
			return parsedSnippet{}, &snippetError{i + 1, mistake}
		}
	}
	shown = withoutBlankEnds(shown)
	if !columns {
		shown = withoutCommonIndent(shown)
	}
	parsed.Code = strings.Join(shown, "\n")
	if parsed.Code == "" {
		return parsedSnippet{}, &snippetError{1, "nothing of the file is shown: end the check region with snippet:end"}
	}
	return parsed, nil
}

// missing is what is said of directives without the argument that they need.
var missing = map[string]string{
	"measures":    "the claim that is measured is missing",
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
	case "prints":
		p.Prints = append(p.Prints, strings.TrimRight(argument, " \t\r"))
	case "measures":
		p.measures = append(p.measures, value)
	case "needs":
		p.Needs = value
	case "description":
		p.Description = continued(p.Description, value)
	case "why":
		p.Reason = continued(p.Reason, value)
	case "title":
		p.Title = value
	case "about":
		p.about = append(p.about, aboutName{value, line})
	case "doc":
		return p.setDoc(value)
	default:
		return fmt.Sprintf("snippet:%s: expected check, end, prints, about, doc, title, description, why, needs or measures", name)
	}
	return ""
}

// continued is a text that goes on in a further directive.
func continued(text, more string) string {
	return strings.TrimPrefix(text+" "+more, " ")
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

// directive reads a line such as "// snippet:prints 3". Whatever punctuation
// precedes the word opens the comment; one space after the name is a separator.
func directive(line string) (name, argument string, ok bool) {
	at := strings.Index(line, directivePrefix)
	if at < 0 || strings.ContainsFunc(line[:at], isWordRune) {
		return "", "", false
	}
	opener := strings.TrimSpace(line[:at])
	rest := strings.TrimRight(line[at+len(directivePrefix):], " \t\r")
	for _, c := range commentClosers {
		if opener == c.opener || opener == "/**" && c.opener == "/*" {
			rest = strings.TrimRight(strings.TrimSuffix(rest, c.closer), " \t")
		}
	}
	name, argument, _ = strings.Cut(rest, " ")
	return name, argument, true
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
	common := ""
	first := true
	for _, line := range lines {
		if line == "" {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if first {
			common, first = indent, false
			continue
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	if common == "" {
		return lines
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, common)
	}
	return lines
}
