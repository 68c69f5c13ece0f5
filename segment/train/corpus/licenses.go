package corpus

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Licenses are the names of the licenses of a split's repositories, sorted, as the corpus's README lists them: a table
// of repository, commit, license files with their licenses, split and numbers. The repositories of Train2 and Train3 are in
// tables of train under headings of their own.
func (c *Corpus) Licenses(split Split) ([]string, error) {
	f, err := os.Open(filepath.Join(c.dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer f.Close()
	var names []string
	column, table := string(Train), split // what the table calls the split, and the split that the table is of
	if split == Dev {
		column, table = string(Dev), Train
	}
	at := Train
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if title, ok := strings.CutPrefix(lines.Text(), "## "); ok {
			at = extension(title)
		}
		cells := strings.Split(lines.Text(), "|")
		if len(cells) < 6 || strings.TrimSpace(cells[4]) != column || at != table {
			continue
		}
		for _, file := range strings.Split(cells[3], ";") {
			_, list, _ := strings.Cut(file, ":")
			for _, name := range strings.Split(list, ",") {
				if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, " ") {
					names = append(names, name)
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("corpus: the README lists no repository of %s with its license", split)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// extension is the split of the tables under a heading of the README.
func extension(title string) Split {
	switch {
	case strings.HasPrefix(title, "Second extension"):
		return Train2
	case strings.HasPrefix(title, "Third extension"):
		return Train3
	}
	return Train
}
