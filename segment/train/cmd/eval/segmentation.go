package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
)

// segmentationReport holds the figures of splitting messages into text and code.
type segmentationReport struct {
	Labelled  []segmentation.Figures `json:"labelled"`  // by kind of document, with the labels of the corpus
	Corrected []segmentation.Figures `json:"corrected"` // the same, with plainly wrong labels corrected
	Languages []segmentation.Figures `json:"languages"` // of the kind non-english, corrected, by language of the prose
}

// measureSegmentation labels all documents and counts.
func measureSegmentation(label labelFunc, documents []corpus.Document) segmentationReport {
	labelled, corrected, languages := segmentation.Table{}, segmentation.Table{}, segmentation.Table{}
	for i := range documents {
		d := &documents[i]
		code := label(d.Text)
		labelled.Slice(d.Kind).Add(d.Labels, code)
		labels := segmentation.Corrected(d)
		corrected.Slice(d.Kind).Add(labels, code)
		if d.Kind == "non-english" {
			languages.Slice(segmentation.Language(prose(d.Text, labels))).Add(labels, code)
		}
	}
	return segmentationReport{labelled.Figures(), corrected.Figures(), languages.Figures()}
}

// prose is the text of a document without its code.
func prose(text string, labels []string) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		if labels[i] == corpus.Text {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (r segmentationReport) print(w io.Writer) error {
	for _, t := range []struct {
		title   string
		figures []segmentation.Figures
	}{
		{"Text and code, labels as they are in the corpus", r.Labelled},
		{"Text and code, plainly wrong labels corrected", r.Corrected},
		{"The kind non-english by language, corrected", r.Languages},
	} {
		fmt.Fprintf(w, "%s\n\n", t.title)
		if err := segmentation.Print(w, t.figures); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// labelFunc tells of each line of a text whether it is code.
type labelFunc func(text string) []bool

// loadLines returns the embedded model of lines, or that of a file.
func loadLines(file string) (*linetag.Model, error) {
	if file == "" {
		return linetag.Default(), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return linetag.Decode(b)
}

// segmentLabels labels lines by the segments that they begin in. Lines of markup, which are in no segment, belong to the
// code that they mark.
func segmentLabels(text string) []bool {
	segments := segment.Default().Segment(text)
	var code []bool
	at := 0
	for start := 0; start <= len(text); {
		end := start + len(text[start:])
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		// The first byte that is not white space decides: a segment can begin inside of a line, behind an HTML tag.
		first := start
		for first < end && (text[first] == ' ' || text[first] == '\t') {
			first++
		}
		for at < len(segments) && segments[at].End <= first {
			at++
		}
		text := at < len(segments) && segments[at].Start <= first && segments[at].Kind == segment.Text
		code = append(code, !text)
		start = end + 1
	}
	return code
}

// printWrong prints the documents of a slice that are not exact. Each line begins with its true label; the wrong ones
// are marked with an exclamation mark.
func printWrong(w io.Writer, label labelFunc, documents []corpus.Document, slice string) {
	for i := range documents {
		d := &documents[i]
		if d.Kind != slice {
			continue
		}
		code, labels := label(d.Text), segmentation.Corrected(d)
		var b strings.Builder
		exact := true
		for j, l := range strings.Split(d.Text, "\n") {
			mark := " "
			if labels[j] == corpus.Text && code[j] || labels[j] == corpus.Code && !code[j] {
				exact = false
				mark = "!"
			}
			fmt.Fprintf(&b, "%s%s %s\n", labels[j], mark, l)
		}
		if !exact {
			fmt.Fprintf(w, "=== document %d, %s, of %s, %s\n%s", i, corpus.Key(d.Text), d.Source, d.Variant, b.String())
		}
	}
}
