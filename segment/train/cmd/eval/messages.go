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
	all, checked, pieces := segmentation.Table{}, segmentation.Table{}, segmentation.Table{}
	var fences segmentation.FenceCounts
	var chats segmentation.Counts
	for i := range messages {
		d := &messages[i]
		labels, found := segmentation.Corrected(d), segmentLabels(d.Text)
		if d.Kind == corpus.Piece {
			name := "text"
			if slices.Contains(labels, corpus.Code) {
				name = "code"
			}
			pieces.Slice(name).Add(labels, found)
			continue
		}
		kind := strings.TrimPrefix(d.Kind, corpus.MessageKinds)
		all.Slice(kind).Add(labels, found)
		fences.Add(d.Text, labels, segmentLabels)
		if text, labels, ok := linetagtrain.AsChat(d.Text, labels); ok {
			chats.Add(labels, segmentLabels(text))
		}
		if d.Checked { // by a person
			checked.Slice(kind).Add(labels, found)
		}
	}
	further := segmentation.Table{}
	for i := range others {
		d := &others[i]
		further.Slice(d.Kind).Add(segmentation.Corrected(d), segmentLabels(d.Text))
	}
	tables := []table{{"Messages as people sent them", all.Figures()}}
	if len(further) > 0 {
		tables = append(tables, table{"Messages to coding assistants, lines of a chat", further.Figures()})
	}
	if len(checked) > 0 {
		tables = append(tables, table{"Messages that a person has read", checked.Figures()})
	}
	for _, t := range append(tables,
		table{"Messages with text and code, without capitals and final marks beside the code, and without blank lines between the two", []segmentation.Figures{chats.Figures("as chat")}},
		table{"Pieces of one to three lines of messages", pieces.Figures()},
	) {
		if err := t.print(w); err != nil {
			return err
		}
	}
	f := fences
	_, err := fmt.Fprintf(w, `Messages with their code in fences: of %d lines of text in %d messages, %d are taken for code.
With one block left bare beside the fences: %d of %d are found exactly, %d of %d of one line; of %d lines of text, %d are taken for code.
`, f.Text, f.Messages, f.TextAsCode, f.Found, f.Blocks, f.SingleFound, f.SingleBlocks, f.BareText, f.BareTextAsCode)
	return err
}
