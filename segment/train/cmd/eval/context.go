package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation"
)

// contextFigures tell how many pieces of code are named right by what is around them.
type contextFigures struct {
	slice  string
	pieces int
	right  [3]int // named from the code alone, with the other code of the message, and with its words
}

// fence delimits code in a message so that nothing of it is lost, and tells nothing of its language.
const fence = "~~~~~~~~~~~~"

// printContext names the languages of the code in documents and messages whose language is known. Each piece stands in a
// fence without a tag. The words are taken away by putting a dash in the place of each line of text.
func printContext(documents []corpus.Document) {
	slices := []*contextFigures{{slice: "documents"}, {slice: "messages"}, {slice: "with three languages or more"}, {slice: "of one or two lines"}}
	for i := range documents {
		d := &documents[i]
		if d.Synthetic || len(d.Langs) == 0 || d.Kind == "message-mail" {
			continue // composed documents have words about something else; in mails all code is R
		}
		words, bare, truth := fenced(d)
		with, without := guesses(words), guesses(bare)
		if len(with) != len(truth) || len(without) != len(truth) {
			continue // the text has markup that swallows a fence
		}
		languages := map[string]bool{}
		for _, p := range truth {
			languages[p.language] = true
		}
		delete(languages, "unknown")
		in := slices[:1]
		if d.IsMessage() {
			in = slices[1:2]
		}
		if len(languages) > 2 {
			in = append(in[:1:1], slices[2])
		}
		for k, p := range truth {
			if p.language == "unknown" {
				continue
			}
			in := in
			if strings.Count(p.code, "\n") <= 2 {
				in = append(in[:len(in):len(in)], slices[3])
			}
			alone := segment.Default().Classify(p.code).Language.String()
			for _, f := range in {
				f.add(p.language, alone, without[k], with[k])
			}
		}
	}
	rows := []string{"\tpieces of code\tfrom the code alone\tand the other code\tand the words"}
	for _, f := range slices {
		n := float64(max(f.pieces, 1)) / 100
		rows = append(rows, fmt.Sprintf("%s\t%d\t%.1f\t%.1f\t%.1f", f.slice, f.pieces, float64(f.right[0])/n, float64(f.right[1])/n, float64(f.right[2])/n))
	}
	fmt.Print("Language of code in messages, percentage right\n\n", evaluation.Table(rows))
}

// add counts a piece.
func (f *contextFigures) add(truth string, named ...string) {
	f.pieces++
	for i, name := range named {
		if name == truth {
			f.right[i]++
		}
	}
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
func guesses(message string) []string {
	segments, err := segment.Default().AppendClassified(context.Background(), nil, message)
	if err != nil {
		panic(err) // nobody cancels
	}
	var all []string
	for _, s := range segments {
		if s.Kind == segment.Code && s.Markup == segment.Fenced {
			all = append(all, s.Language.String())
		}
	}
	return all
}
