package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

// printDocuments labels all documents and prints how many lines are right, by kind of document, with the labels of the
// corpus and with plainly wrong ones corrected.
func printDocuments(documents []corpus.Document) {
	var labelled, corrected segmentation.Table
	for i := range documents {
		d := &documents[i]
		code := segmentLabels(d.Text)
		labelled.Add(d.Kind, d.Labels, code)
		corrected.Add(d.Kind, segmentation.Corrected(d), code)
	}
	fmt.Print(labelled.Titled("Text and code, labels as they are in the corpus"))
	fmt.Print(corrected.Titled("Text and code, plainly wrong labels corrected"))
}

// printMessages labels messages as people sent them, and pieces of one to three lines cut out of them, and prints how many
// lines are right. others are what people sent to coding assistants, and lines of a chat; commands are messages in which words,
// commands and output take turns.
func printMessages(messages, others, commands []corpus.Document) {
	var all, labelled, further, turns, checked, chats, pieces segmentation.Table
	var f segmentation.FenceCounts
	for i := range messages {
		d := &messages[i]
		labels, found := segmentation.Corrected(d), segmentLabels(d.Text)
		if d.Kind == corpus.Piece {
			name := "text"
			if slices.Contains(labels, corpus.Code) {
				name = "code"
			}
			pieces.Add(name, labels, found)
			continue
		}
		kind := strings.TrimPrefix(d.Kind, corpus.MessageKinds)
		labelled.Add(kind, d.Labels, found)
		all.Add(kind, labels, found)
		f.Add(d.Text, labels, segmentLabels)
		if text, labels, ok := linetagtrain.AsChat(d.Text, labels); ok {
			chats.Add("as chat", labels, segmentLabels(text))
		}
		if d.Checked { // by a person
			checked.Add(kind, labels, found)
		}
	}
	for i := range others {
		d := &others[i]
		further.Add(d.Kind, segmentation.Corrected(d), segmentLabels(d.Text))
	}
	for i := range commands {
		d := &commands[i]
		turns.Add(strings.TrimPrefix(d.Kind, corpus.CommandKinds), segmentation.Corrected(d), segmentLabels(d.Text))
	}
	fmt.Print(labelled.Titled("Messages as people sent them, labels as they are in the corpus"))
	fmt.Print(all.Titled("Messages as people sent them, plainly wrong labels corrected"))
	fmt.Print(turns.Titled("Words, commands and output in turn"))
	fmt.Print(further.Titled("Messages to coding assistants, lines of a chat"))
	fmt.Print(checked.Titled("Messages that a person has read"))
	fmt.Print(chats.Titled("Messages with text and code, without capitals and final marks beside the code, and without blank lines between the two"))
	fmt.Print(pieces.Titled("Pieces of one to three lines of messages"))
	fmt.Printf("Messages with their code in fences: of %d lines of text in %d messages, %d are taken for code.\n", f.Text, f.Messages, f.TextAsCode)
	fmt.Printf("With one block left bare beside the fences: %d of %d are found exactly.\n", f.Found, f.Blocks)
}

// segmentLabels labels lines by the segments that they begin in. Lines of markup, which are in no segment, belong to the
// code that they mark.
func segmentLabels(text string) []bool {
	segments := segment.Default().Segment(text)
	var code []bool
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		// The first byte that is not white space decides: a segment can begin inside of a line, behind an HTML tag.
		first := start + len(line) - len(strings.TrimLeft(line, " \t"))
		for len(segments) > 0 && segments[0].End <= first {
			segments = segments[1:]
		}
		code = append(code, len(segments) == 0 || segments[0].Start > first || segments[0].Kind != segment.Text)
		start += len(line) + 1
	}
	return code
}
