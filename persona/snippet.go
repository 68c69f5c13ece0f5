package persona

import (
	"fmt"
	"strings"
)

// parsedSnippet is what a snippet's source file says.
type parsedSnippet struct {
	code     string
	title    string
	about    []aboutName
	doc      Link
	needs    string
	prints   []string
	measures []string
	setup    string // hidden lines before something shown
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
// what is only there for the check. The grammar is in catalogue/README.md.
func parseSnippet(src string) (parsedSnippet, *snippetError) {
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
		fail := func(format string, args ...any) (parsedSnippet, *snippetError) {
			return parsedSnippet{}, &snippetError{i + 1, fmt.Sprintf(format, args...)}
		}
		switch name {
		case "check":
			hidden = true
		case "end":
			if !hidden {
				return fail("snippet:end without a snippet:check before it")
			}
			hidden = false
		case "prints":
			parsed.prints = append(parsed.prints, strings.TrimRight(argument, " \t\r"))
		case "measures":
			claim := strings.TrimSpace(argument)
			if claim == "" {
				return fail("snippet:measures: the claim that is measured is missing")
			}
			parsed.measures = append(parsed.measures, claim)
		case "needs":
			if parsed.needs = strings.TrimSpace(argument); parsed.needs == "" {
				return fail("snippet:needs: what it needs at least is missing: snippet:needs Go 1.22")
			}
		case "title":
			if parsed.title = strings.TrimSpace(argument); parsed.title == "" {
				return fail("snippet:title: a text is missing")
			}
		case "about":
			name := strings.TrimSpace(argument)
			if name == "" {
				return fail("snippet:about: a name of products.toml is missing: snippet:about Django")
			}
			parsed.about = append(parsed.about, aboutName{name, i + 1})
		case "doc":
			address, name, _ := strings.Cut(strings.TrimSpace(argument), " ")
			name = strings.TrimSpace(name)
			switch {
			case parsed.doc != (Link{}):
				return fail("snippet:doc: there is one already")
			case !isWebAddress(address):
				return fail("snippet:doc: %q: expected an absolute https address, then the page's name", address)
			case name == "":
				return fail("snippet:doc: the page's name is missing after its address")
			}
			parsed.doc = Link{Name: name, URL: address}
		default:
			return fail("snippet:%s: expected check, end, prints, about, doc, title, needs or measures", name)
		}
	}
	parsed.code = strings.Join(withoutCommonIndent(withoutBlankEnds(shown)), "\n")
	if parsed.code == "" {
		return parsedSnippet{}, &snippetError{1, "nothing of the file is shown: end the check region with snippet:end"}
	}
	return parsed, nil
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
