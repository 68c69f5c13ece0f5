// Package mentiontrain learns what the names in a message say of the languages of its code: the odds that package mention embeds.
package mentiontrain

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// namesFile lists the names, each with the labels that one would expect it to speak for, where there are any.
//
//go:embed names.json
var namesFile []byte

const (
	// perRepository is how often a repository counts at most for a name and a label: no habit of one author is learned.
	perRepository = 3
	// expected is the factor by which a name raises the odds of the labels that one expects it to speak for, and trust the number
	// of pieces of code whose evidence weighs as much as that expectation.
	expected = 6
	trust    = 6
	// Odds that are closer to one than the smallest are left out. The largest bounds what a name can say.
	smallest = 2
	largest  = 60
	// fewest is the number of repositories that must show odds that nobody expects.
	fewest = 3
)

// Learned is what package mention embeds.
type Learned mention.File

// Encode writes it as JSON, a line for each name.
func (l Learned) Encode() ([]byte, error) {
	weights, err := json.Marshal(l.Weights)
	if err != nil {
		return nil, fmt.Errorf("mentiontrain: %w", err)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(l.Odds)) {
		row, err := json.Marshal(l.Odds[name])
		if err != nil {
			return nil, fmt.Errorf("mentiontrain: %w", err)
		}
		lines = append(lines, fmt.Sprintf("\t\t%q: %s", name, row))
	}
	return fmt.Appendf(nil, "{\n\t\"weights\": %s,\n\t\"odds\": {\n%s\n\t}\n}\n", weights, strings.Join(lines, ",\n")), nil
}

// piece is a piece of code of a document, with the names around it.
type piece struct {
	label  int
	source string
	index  int // in the document
	doc    *mention.Message
}

// Train learns the odds, and with the embedded language model how much they weigh. It tells log how much it had.
func Train(data *corpus.Corpus, log *log.Logger) (*Learned, error) {
	names := corpus.Embedded[map[string][]string](namesFile)()
	labels := classification.AllLabels().Names
	bare := map[string]map[string]float64{}
	for name := range names {
		bare[name] = nil
	}
	t, err := mention.NewTable(mention.File{Odds: bare}, labels)
	if err != nil {
		return nil, err
	}
	documents, err := corpus.Training{Corpus: data, Messages: true}.Documents()
	if err != nil {
		return nil, err
	}
	var pieces []piece
	for i := range documents {
		d := &documents[i]
		if !d.Synthetic && d.NamesLanguages() { // in composed documents the words are about something else
			pieces = append(pieces, piecesOf(d, t, labels)...)
		}
	}
	odds := learn(pieces, t, labels, names)
	log.Printf("%d pieces of code, %d names with odds", len(pieces), len(odds))
	model := langid.Default()
	if t, err = mention.NewTable(mention.File{Odds: odds}, model.Labels()); err != nil {
		return nil, err
	}
	return &Learned{learnWeights(withScores(documents, t, model), t, log), odds}, nil
}

// piecesOf are the pieces of code of a document whose language is known, with the names around them.
func piecesOf(d *corpus.Document, t *mention.Table, labels []string) []piece {
	var all []piece
	words, code := read(d, t)
	for index, c := range code {
		if label := slices.Index(labels, c.language); label >= 0 && len(strings.TrimSpace(c.text)) > 8 {
			all = append(all, piece{label, d.Source, index, words})
		}
	}
	return all
}

// code is a piece of code of a document.
type code struct{ text, language string }

// read reads the names in a document, and its code.
func read(d *corpus.Document, t *mention.Table) (words *mention.Message, all []code) {
	words = new(mention.Message)
	at := 0
	for lines, text := range d.Runs {
		if language := d.Langs[lines[0]]; language == "" {
			words.Text(t, text, at)
		} else {
			words.Code(t, text, at)
			all = append(all, code{text, language})
		}
		at += len(text)
	}
	words.Finish()
	return words, all
}

// learn counts, for each name and label, how often the name stands beside code of the label and of others, and shrinks the factor
// of the odds towards what one expects. Labels weigh by the root of their frequency, as in the training of the language model.
func learn(pieces []piece, t *mention.Table, labels []string, expectations map[string][]string) map[string]map[string]float64 {
	total := make([]float64, len(labels))
	for _, p := range pieces {
		total[p.label]++
	}
	counts, repositories := tally(pieces)
	// What share of the pieces of a label would have the name, if repositories counted without bound, is not known: the bound
	// falls on all labels alike, so the factors hold.
	weight := make([]float64, len(labels))
	var all float64
	for l, n := range total {
		if n > 0 {
			weight[l] = 1 / math.Sqrt(n)
		}
		all += n * weight[l]
	}
	odds := map[string]map[string]float64{}
	for i, name := range t.Names() {
		var n, with float64 // pieces beside the name, and their weight
		for l := range labels {
			n += counts[cell{i, l}]
			with += counts[cell{i, l}] * weight[l]
		}
		row := map[string]float64{}
		for l, label := range labels {
			prior := 0.0
			if slices.Contains(expectations[name], label) {
				prior = math.Log(expected)
			}
			factor := trust * prior
			if own := total[l] * weight[l]; own == 0 {
				factor *= n/trust + 1 // no document shows the label, so that none speaks against it
			} else if n > 0 {
				// Half a piece is added to each side, so that no factor is infinite.
				c, half := counts[cell{i, l}]*weight[l], 0.5*weight[l]
				factor += n * math.Log((c+half)/own/((with-c+half)/(all-own)))
			}
			factor /= n + trust
			if repositories[cell{i, l}] < fewest {
				factor = min(factor, prior)
			}
			if factor = min(math.Exp(factor), largest); factor >= smallest {
				row[label] = math.Round(factor*10) / 10
			}
		}
		if bound(row, expectations[name]); len(row) > 0 {
			odds[name] = row
		}
	}
	return odds
}

// bound keeps a name from speaking for what it does not mean more than half as much as for what it does: pages about JavaScript
// show HTML, but who names it means it.
func bound(row map[string]float64, expected []string) {
	var most float64
	for _, label := range expected {
		most = max(most, row[label])
	}
	for label, factor := range row {
		if most == 0 || slices.Contains(expected, label) || factor <= most/2 {
			continue
		}
		if row[label] = math.Round(most*5) / 10; row[label] < smallest {
			delete(row, label)
		}
	}
}

// cell is a name beside code of a label.
type cell struct{ name, label int }

// tally counts how often each name stands beside code of each label, of no repository more than perRepository times, and in how
// many repositories.
func tally(pieces []piece) (counts map[cell]float64, repositories map[cell]int) {
	counts, repositories = map[cell]float64{}, map[cell]int{}
	type place struct {
		repository string
		cell
	}
	times := map[place]int{}
	for _, p := range pieces {
		seen := map[int]bool{}
		p.doc.Names(p.index, func(name int, where mention.Place) {
			if where != mention.Beside && where != mention.Close || seen[name] {
				return
			}
			seen[name] = true
			at := place{p.source, cell{name, p.label}}
			if times[at]++; times[at] <= perRepository {
				counts[at.cell]++
			}
			if times[at] == 1 {
				repositories[at.cell]++
			}
		})
	}
	return counts, repositories
}
