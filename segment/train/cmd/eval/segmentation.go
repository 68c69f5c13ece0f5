package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
)

// printSegmentation labels all documents and prints how many lines are right, by kind of document, with the labels of the
// corpus and with plainly wrong ones corrected.
func printSegmentation(w io.Writer, documents []corpus.Document) error {
	labelled, corrected := segmentation.Table{}, segmentation.Table{}
	for i := range documents {
		d := &documents[i]
		code := segmentLabels(d.Text)
		labelled.Slice(d.Kind).Add(d.Labels, code)
		corrected.Slice(d.Kind).Add(segmentation.Corrected(d), code)
	}
	for _, t := range []table{
		{"Text and code, labels as they are in the corpus", labelled.Figures()},
		{"Text and code, plainly wrong labels corrected", corrected.Figures()},
	} {
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

// table is figures with a title.
type table struct {
	title   string
	figures []segmentation.Figures
}

func (t table) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", t.title)
	if err := segmentation.Print(w, t.figures); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
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
