package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

// printMessages labels messages as people sent them, and pieces of one to three lines cut out of them, and prints how many
// lines are right. others are what people sent to coding assistants, and lines of a chat.
func printMessages(w io.Writer, messages, others []corpus.Document) error {
	var all, further, checked, chats, pieces segmentation.Table
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
	for _, t := range []struct {
		title string
		table *segmentation.Table
	}{
		{"Messages as people sent them", &all},
		{"Messages to coding assistants, lines of a chat", &further},
		{"Messages that a person has read", &checked},
		{"Messages with text and code, without capitals and final marks beside the code, and without blank lines between the two", &chats},
		{"Pieces of one to three lines of messages", &pieces},
	} {
		if err := t.table.Print(w, t.title); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, `Messages with their code in fences: of %d lines of text in %d messages, %d are taken for code.
With one block left bare beside the fences: %d of %d are found exactly.
`, f.Text, f.Messages, f.TextAsCode, f.Found, f.Blocks)
	return err
}
