package classification

import "regexp"

// An element decides between JavaScript and its form with elements: code of a .jsx or .tsx file that shows none is
// JavaScript or TypeScript to everybody who has not seen the file's name.

// element finds a tag of JSX: one that closes, or one that opens where an expression or a line begins. Type parameters
// (Array<string>) stand right behind a name.
var element = regexp.MustCompile(`</[A-Za-z>]|/>|<>|(?m:(?:^|[\s({\[>?:&|=,])<[A-Za-z][\w.-]*(?:\s+(?:[\w-]+(?:=|>)|\{|$)|\s*>(?:[^(]|$)|\s*$))`)

// plain are the labels of code without elements, by those of code with them.
var plain = map[string]string{"jsx": "javascript", "tsx": "typescript"}

// ByElements is the label of a piece of code whose file has the given label.
func ByElements(text, label string) string {
	if without, ok := plain[label]; ok && !element.MatchString(text) {
		return without
	}
	return label
}
