package main

import (
	"io"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
)

// printSegmentation labels all documents and prints how many lines are right, by kind of document, with the labels of the
// corpus and with plainly wrong ones corrected.
func printSegmentation(w io.Writer, documents []corpus.Document) error {
	var labelled, corrected segmentation.Table
	for i := range documents {
		d := &documents[i]
		code := segmentLabels(d.Text)
		labelled.Add(d.Kind, d.Labels, code)
		corrected.Add(d.Kind, segmentation.Corrected(d), code)
	}
	if err := labelled.Print(w, "Text and code, labels as they are in the corpus"); err != nil {
		return err
	}
	return corrected.Print(w, "Text and code, plainly wrong labels corrected")
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
