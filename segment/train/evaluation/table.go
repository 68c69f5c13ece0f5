// Package evaluation has what the measurements of its subpackages share.
package evaluation

import (
	"strings"
	"text/tabwriter"
)

// Table lays out rows, whose cells are separated by tabs, as a table to read.
func Table(rows []string) string {
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		t.Write([]byte(row + "\t\n"))
	}
	_ = t.Flush() // nothing fails in memory
	return table.String()
}
