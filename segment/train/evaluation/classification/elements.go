package classification

import (
	"regexp"
	"strings"
)

// Elements decide what a piece of a file is whose language has them: code of a .jsx or .tsx file that shows none is JavaScript or
// TypeScript to everybody who has not seen the file's name, and what pages have besides elements and templates is script or
// style, not HTML.

// element finds a tag of JSX: one that closes, or one that opens where an expression or a line begins. Type parameters
// (Array<string>) stand right behind a name.
var element = regexp.MustCompile(`</[A-Za-z>]|/>|<>|(?m:(?:^|[\s({\[>?:&|=,])<[A-Za-z][\w.-]*(?:\s+(?:[\w-]+(?:=|>)|\{|$)|\s*>(?:[^(]|$)|\s*$))`)

// plain are the labels of code without elements, by those of code with them.
var plain = map[string]string{"jsx": "javascript", "tsx": "typescript"}

// pages are the labels of files that have scripts and styles among their elements.
var pages = map[string]bool{"html": true, "vue": true, "svelte": true, "astro": true, "erb": true, "handlebars": true, "twig": true}

// ByElements is the label of a piece of code whose file has the given label, [Undecided] for what is in a page but no element.
func ByElements(text, label string) string {
	if pages[label] && !strings.ContainsAny(text, "<>") && !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return Undecided
	}
	if without, ok := plain[label]; ok && !element.MatchString(text) {
		return without
	}
	return label
}
