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
// of repository, commit, license files with their licenses, split and numbers. The repositories of Train2 are in a table
// of train under a heading of their own.
func (c *Corpus) Licenses(split Split) ([]string, error) {
	f, err := os.Open(filepath.Join(c.dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer f.Close()
	var names []string
	column := split // what the table calls the split
	if split == Train2 {
		column = Train
	}
	added := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "## ") {
			added = strings.HasPrefix(lines.Text(), "## Second extension")
		}
		cells := strings.Split(lines.Text(), "|")
		if len(cells) < 6 || strings.TrimSpace(cells[4]) != string(column) || added != (split == Train2) {
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
