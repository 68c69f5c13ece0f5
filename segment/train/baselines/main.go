//go:build unix

// Command baselines compares other language classifiers with ours, on the same snippets in the same run.
//
//	go run . [-every n] [-check]
//
// A baseline is right if one of the labels that its prediction stands for (names.json) is the truth. Where a baseline has
// one name for several of our labels, ours may confuse them too. "Own labels" are the snippets whose label the baseline
// has a name for; "all" counts the others as wrong.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

//go:embed names.json
var namesFile []byte

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "baselines:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	every := flag.Int("every", 1, "take every n-th snippet of dev")
	check := flag.Bool("check", false, "only see whether the corpus is there")
	flag.Parse()
	data, err := corpus.Open()
	if err != nil || *check {
		return err
	}
	all, err := data.Snippets("snippets.dev")
	if err != nil {
		return err
	}
	var snippets []corpus.Snippet
	var texts []string
	for i, s := range all {
		if i%max(*every, 1) == 0 {
			snippets = append(snippets, s)
			texts = append(texts, s.Text)
		}
	}
	var own map[string]names
	if err := json.Unmarshal(namesFile, &own); err != nil {
		return fmt.Errorf("names.json: %w", err)
	}
	own["go-enry"] = classification.LinguistNames()
	mine := ours(texts)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	lengths := strings.Join(classification.Lengths[:], " / ")
	fmt.Fprintf(t, "%d snippets\tlabels\town labels: %s\tall\tall: %s\tall\tCPU microseconds\n", len(snippets), lengths, lengths)
	for _, c := range classifiers {
		fmt.Fprintf(os.Stderr, "%s: %d snippets ...\n", c.name, len(snippets))
		predictions, err := c.run(own[c.name], texts)
		if err != nil {
			return err
		}
		row(t, c.name+" "+c.version, snippets, predictions, own[c.name])
		row(t, "  ours, so counted", snippets, mine, own[c.name].widen())
	}
	exact := names{}
	for _, s := range snippets {
		exact[s.Lang] = []string{s.Lang}
	}
	row(t, "ours", snippets, mine, exact)
	return t.Flush()
}

// widen is the same for predictions in our labels: each stands for itself and for those that a name of the baseline puts
// together with it.
func (n names) widen() names {
	w := names{}
	for _, together := range n {
		for _, l := range together {
			w[l] = append(w[l], together...)
		}
	}
	return w
}

// row writes how many predictions are right, by length, of the snippets whose label n has a name for and of all.
func row(w io.Writer, name string, snippets []corpus.Snippet, predictions []prediction, n names) {
	labels := map[string]bool{}
	for _, together := range n {
		for _, l := range together {
			labels[l] = true
		}
	}
	var own, all []classification.Result
	var micros float64
	for i, s := range snippets {
		r := classification.Result{Lines: strings.Count(s.Text, "\n") + 1}
		if !slices.Contains(n[predictions[i].Name], s.Lang) {
			r.Guess = 1
		}
		if labels[s.Lang] {
			own = append(own, r)
		}
		all = append(all, r)
		micros += predictions[i].Micros
	}
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.0f\n", name, len(labels), cells(own), cells(all), micros/float64(max(len(snippets), 1)))
}

// cells are the percentages of results that are right: a cell for all lengths and one for all together.
func cells(results []classification.Result) string {
	var shares []string
	for _, f := range classification.Measure(&classification.Labels{Names: []string{"right", "wrong"}, Families: []int{0, 1}}, results) {
		shares = append(shares, fmt.Sprintf("%.1f", f.Accuracy))
	}
	all := len(shares) - 1
	return strings.Join(shares[:all], " / ") + "\t" + shares[all]
}
