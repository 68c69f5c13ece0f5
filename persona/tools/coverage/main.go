// Command coverage prints, for each language of the catalogue, how many snippets it has
// and which personas have fewer than five that are really about both.
//
//	go run ./coverage [language id ...]
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

const fewest = 5

func main() {
	c, err := persona.Load(nil, os.DirFS(filepath.Join("..", "catalogue")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	snippets := map[*persona.Language]int{}
	for _, s := range c.Snippets() {
		snippets[s.Language]++
	}
	missing := map[*persona.Language][]string{}
	for _, gap := range c.Gaps(fewest) {
		missing[gap.Language] = append(missing[gap.Language], fmt.Sprintf("%s %d", gap.Persona.ID, gap.Snippets))
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "LANGUAGE\tSNIPPETS\tPERSONAS WITH FEWER THAN %d\n", fewest)
	for _, language := range c.Languages() {
		if asked := os.Args[1:]; len(asked) == 0 || slices.Contains(asked, language.ID) {
			gaps := strings.Join(missing[language], ", ")
			if snippets[language] == 0 {
				gaps = "all"
			}
			fmt.Fprintf(w, "%s\t%d\t%s\n", language.ID, snippets[language], gaps)
		}
	}
	w.Flush()
	fmt.Printf("%d snippets, %d tasks\n", len(c.Snippets()), len(c.Tasks()))
}
