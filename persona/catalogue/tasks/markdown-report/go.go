// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/text/tabwriter text/tabwriter
// snippet:prints | Service  | Errors |
// snippet:prints |----------|--------|
// snippet:prints | checkout | 3      |
// snippet:prints | search   | 0      |

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// snippet:check
import "os"

// snippet:end
// MarkdownTable writes rows as a table whose columns line up in plain text too.
func MarkdownTable(w io.Writer, header []string, rows [][]string) {
	width := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	line := func(cells []string) {
		for i, cell := range cells {
			fmt.Fprintf(w, "| %-*s ", width[i], strings.ReplaceAll(cell, "|", `\|`))
		}
		fmt.Fprintln(w, "|")
	}
	line(header)
	for _, n := range width {
		fmt.Fprintf(w, "|%s", strings.Repeat("-", n+2))
	}
	fmt.Fprintln(w, "|")
	for _, row := range rows {
		line(row)
	}
}

// snippet:check
func main() {
	MarkdownTable(os.Stdout, []string{"Service", "Errors"}, [][]string{{"checkout", "3"}, {"search", "0"}})
}
