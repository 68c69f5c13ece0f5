// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/encoding/csv encoding/csv
// snippet:needs Go 1.22
import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	// snippet:usage
	"strings"
	// snippet:end
)

// Totals sums the column value for each text in the column group; NaN and Inf count as numbers.
func Totals(r io.Reader, group, value string) (map[string]float64, error) {
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" { // the byte order mark that Excel writes
		buffered.Discard(3)
	}
	rows, err := csv.NewReader(buffered).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, cmp.Or(err, errors.New("no header line"))
	}
	g, v := slices.Index(rows[0], group), slices.Index(rows[0], value)
	if g < 0 || v < 0 {
		return nil, fmt.Errorf("need columns %q and %q, have %q", group, value, rows[0])
	}
	totals := map[string]float64{}
	for i, row := range rows[1:] {
		n, err := strconv.ParseFloat(row[v], 64)
		if err != nil {
			return nil, fmt.Errorf("record %d: %s: %w", i+1, value, err)
		}
		totals[row[g]] += n
	}
	return totals, nil
}

// snippet:usage
// snippet:prints map[Bath, UK:6.5 Rome:1] <nil>
// snippet:prints map[] record 1: sales: strconv.ParseFloat: parsing "one": invalid syntax
func main() {
	text := "city,sales\n\"Bath, UK\",2.5\nRome,1\n\"Bath, UK\",4\n"
	fmt.Println(Totals(strings.NewReader(text), "city", "sales"))
	fmt.Println(Totals(strings.NewReader("city,sales\nRome,one\n"), "city", "sales"))
	// snippet:check
	// snippet:prints map[Rome:1] <nil>
	// snippet:prints map[] no header line
	fmt.Println(Totals(strings.NewReader("\ufeff\"city\",sales\nRome,1\n"), "city", "sales"))
	fmt.Println(Totals(strings.NewReader(""), "city", "sales"))
	// snippet:usage
}
