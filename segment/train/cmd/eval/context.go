package main

import (
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// piece is a piece of code of a message.
type piece struct {
	message   bool // as somebody sent it, not a document
	languages int  // of the message
	lines     int
	right     [3]bool               // named from the code alone, with the other code of the message, and with its words
	named     classification.Result // the last
}

// contexts are the pieces that are counted apart.
var contexts = []struct {
	name string
	has  func(p piece) bool
}{
	{"documents", func(p piece) bool { return !p.message }},
	{"messages", func(p piece) bool { return p.message }},
	{"with three languages or more", func(p piece) bool { return p.languages > 2 }},
	{"of one or two lines", func(p piece) bool { return p.lines <= 2 }},
}

// fence delimits code in a message so that nothing of it is lost, and tells nothing of its language.
const fence = "~~~~~~~~~~~~"

// printContext names the languages of the code in documents and messages whose language is known. Each piece stands in a
// fence without a tag. The words are taken away by putting a dash in the place of each line of text.
func printContext(n *namer, documents []corpus.Document) {
	var pieces []piece
	for i := range documents {
		d := &documents[i]
		if d.Synthetic || !d.NamesLanguages() {
			continue // composed documents have words about something else
		}
		words, bare, truth := fenced(d)
		with, without := guesses(words), guesses(bare)
		if len(with) != len(truth) || len(without) != len(truth) {
			continue // the text has markup that swallows a fence
		}
		languages := map[string]bool{}
		for _, c := range truth {
			languages[c.language] = true
		}
		delete(languages, "unknown")
		for k, c := range truth {
			if c.language != "unknown" {
				alone := segment.Default().Classify(c.code).Language.String()
				best, bare := with[k].Language.String(), without[k].Language.String()
				right := [3]bool{alone == c.language, bare == c.language, best == c.language}
				named := classification.Result{Truth: n.index[c.language], Guess: n.index[best], Confidence: with[k].Confidence}
				pieces = append(pieces, piece{d.IsMessage(), len(languages), strings.Count(c.code, "\n"), right, named})
			}
		}
	}
	rows := []string{"\tpieces of code\tfrom the code alone\tand the other code\tand the words\tcalibration error"}
	for _, slice := range contexts {
		var all float64
		var right [3]float64
		var named []classification.Result
		for _, p := range pieces {
			if !slice.has(p) {
				continue
			}
			all++
			named = append(named, p.named)
			for i, is := range p.right {
				if is {
					right[i]++
				}
			}
		}
		whole := classification.Measure(n.labels, named)
		percent := max(all, 1) / 100
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%.1f\t%.1f\t%.1f\t%.3f", slice.name, all, right[0]/percent, right[1]/percent, right[2]/percent,
			whole[len(whole)-1].Calibration))
	}
	fmt.Print("Language of code in messages, percentage right\n\n", evaluation.Table(rows))
}

// labelled is a piece of code with its language, "unknown" if nobody knows.
type labelled struct{ code, language string }

// fenced returns a document with its code in fences, the same without its words, and the code.
func fenced(d *corpus.Document) (words, bare string, truth []labelled) {
	var w, b strings.Builder
	for lines, text := range d.Runs {
		text = strings.TrimSuffix(text, "\n") + "\n"
		if language := d.Langs[lines[0]]; language != "" && strings.TrimSpace(text) != "" {
			block := fence + "\n" + text + fence + "\n"
			w.WriteString(block)
			b.WriteString(block)
			truth = append(truth, labelled{text, language})
		} else {
			w.WriteString(text)
			b.WriteString(strings.Repeat("-\n", lines[1]-lines[0]))
		}
	}
	return w.String(), b.String(), truth
}

// guesses are the languages of the fenced code of a message.
func guesses(message string) []segment.Guess {
	var all []segment.Guess
	for _, s := range segment.Default().SegmentClassified(message) {
		if s.Kind == segment.Code && s.Markup == segment.Fenced {
			all = append(all, s.Guess)
		}
	}
	return all
}
