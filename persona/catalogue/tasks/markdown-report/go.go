// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/fmt#hdr-Printing fmt
// snippet:needs Go 1.22
import (
	"fmt"
	"io"
	// snippet:usage
	"os"
	// snippet:end
	"slices"
	"strings"
	"unicode/utf8"
)

// MarkdownTable writes a table that can be read as plain text too. No row is longer than the header.
func MarkdownTable(w io.Writer, header []string, rows [][]string) error {
	width := make([]int, len(header))
	escape := strings.NewReplacer("|", `\|`, "\r\n", " ", "\n", " ", "\r", " ").Replace
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(escape(cell)), 3)
		}
	}
	rule := make([]string, len(header))
	for i, n := range width {
		rule[i] = strings.Repeat("-", n)
	}
	var out strings.Builder
	for _, row := range slices.Concat([][]string{header, rule}, rows) {
		for i, cell := range row {
			fmt.Fprintf(&out, "| %-*s ", width[i], escape(cell))
		}
		out.WriteString("|\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// snippet:usage
// snippet:prints | Service     | Errors |
// snippet:prints | ----------- | ------ |
// snippet:prints | a\|checkout | 3      |
// snippet:prints | search      | 0      |
// snippet:prints <nil>
func main() {
	rows := [][]string{{"a|checkout", "3"}, {"search", "0\r\n"}}
	fmt.Println(MarkdownTable(os.Stdout, []string{"Service", "Errors"}, rows))
}
