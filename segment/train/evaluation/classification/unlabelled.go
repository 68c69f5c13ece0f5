package classification

import (
	_ "embed"
	"strings"
)

//go:embed unlabelled.txt
var unlabelledFile string

// Unlabelled are pieces of code in some thirty languages that have no label, written for this measurement; those that the language
// model is trained with are in other languages.
func Unlabelled() (pieces []string) {
	for piece := range strings.SplitSeq("\n"+unlabelledFile, "\n%%%% ") {
		if _, text, ok := strings.Cut(piece, "\n"); ok {
			pieces = append(pieces, strings.Trim(text, "\n"))
		}
	}
	return pieces
}
