//go:build unix

// Command baselines compares other language classifiers with ours, on the same snippets in the same run.
//
//	go run . [-corpus folder] [-every n] [-check]
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
	dir := flag.String("corpus", "", corpus.FlagUsage)
	every := flag.Int("every", 1, "take every n-th snippet of dev")
	check := flag.Bool("check", false, "only see whether the corpus is there")
	flag.Parse()
	data, err := corpus.Open(*dir)
	if err != nil || *check {
		return err
	}
	all, err := data.Snippets(corpus.Dev)
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
	fmt.Fprintf(t, "%d snippets\tlabels\town labels: %s\tall\tall: %s\tall\tCPU microseconds\n", len(snippets), strings.Join(classification.Lengths[:], " / "), strings.Join(classification.Lengths[:], " / "))
	for _, c := range classifiers {
		fmt.Fprintf(os.Stderr, "%s: %d snippets ...\n", c.name, len(snippets))
		predictions, err := c.run(own[c.name], texts)
		if err != nil {
			return err
		}
		covered := map[string]bool{}
		for _, labels := range own[c.name] {
			for _, l := range labels {
				covered[l] = true
			}
		}
		row(t, c.name+" "+c.version, len(covered), measure(snippets, predictions, own[c.name], covered))
		row(t, "  ours, so counted", len(covered), measure(snippets, mine, own[c.name].widen(covered), covered))
	}
	exact := names{}
	every104 := map[string]bool{}
	for _, s := range snippets {
		exact[s.Lang] = []string{s.Lang}
		every104[s.Lang] = true
	}
	row(t, "ours", len(every104), measure(snippets, mine, exact, every104))
	return t.Flush()
}

// widen is the same for predictions in our labels: each stands for itself and for those that a name of the baseline puts
// together with it.
func (n names) widen(covered map[string]bool) names {
	w := names{}
	for l := range covered {
		w[l] = []string{l}
	}
	for _, together := range n {
		for _, l := range together {
			w[l] = append(w[l], together...)
		}
	}
	return w
}

// tally counts right predictions and snippets by length, all together last.
type tally struct {
	right, own, all [len(classification.Lengths) + 1]int
	micros          float64
}

func measure(snippets []corpus.Snippet, predictions []prediction, n names, covered map[string]bool) tally {
	var t tally
	for i, s := range snippets {
		right := slices.Contains(n[predictions[i].Name], s.Lang)
		for _, j := range []int{classification.Length(strings.Count(s.Text, "\n") + 1), len(classification.Lengths)} {
			t.all[j]++
			if covered[s.Lang] {
				t.own[j]++
			}
			if right {
				t.right[j]++
			}
		}
		t.micros += predictions[i].Micros
	}
	return t
}

func row(w io.Writer, name string, labels int, t tally) {
	share := func(of [len(classification.Lengths) + 1]int) (lengths, all string) {
		var parts []string
		for i := range t.right {
			parts = append(parts, fmt.Sprintf("%.1f", 100*float64(t.right[i])/float64(max(of[i], 1))))
		}
		last := len(parts) - 1
		return strings.Join(parts[:last], " / "), parts[last]
	}
	own, ownAll := share(t.own)
	every, everyAll := share(t.all)
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%.0f\n", name, labels, own, ownAll, every, everyAll, t.micros/float64(max(t.all[len(t.all)-1], 1)))
}
