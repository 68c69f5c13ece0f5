package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/segmentation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/linetagtrain"
)

// messageReport holds the figures of splitting messages as people sent them. Pieces are one to three lines cut out of them.
type messageReport struct {
	All     []segmentation.Figures `json:"all"`     // by kind
	Checked []segmentation.Figures `json:"checked"` // those that a person read; empty if there are none
	Chats   []segmentation.Figures `json:"chats"`   // those with text and code, written as in a chat
	Pieces  []segmentation.Figures `json:"pieces"`  // by kind of the only label of their lines: text or code
	Lines   int                    `json:"lines"`   // pieces of one line
	AUC     float64                `json:"auc"`     // of the odds that they are code, 0 to 1

	Fences segmentation.FenceCounts `json:"fences"` // of the messages, with their code put back into fences
}

// measureMessages labels messages and counts; m gives the odds of single lines.
func measureMessages(label labelFunc, m *linetag.Model, messages []corpus.Document) *messageReport {
	all, checked, pieces := segmentation.Table{}, segmentation.Table{}, segmentation.Table{}
	var fences segmentation.FenceCounts
	var chats segmentation.Counts
	for i := range messages {
		d := &messages[i]
		labels := segmentation.Corrected(d)
		found := label(d.Text)
		if d.Kind != corpus.Piece {
			kind := strings.TrimPrefix(d.Kind, corpus.MessageKinds)
			all.Slice(kind).Add(labels, found)
			fences.Add(d.Text, labels, label)
			if text, labels, ok := linetagtrain.AsChat(d.Text, labels); ok {
				chats.Add(labels, label(text))
			}
			if d.Checked {
				checked.Slice(kind).Add(labels, found)
			}
			continue
		}
		name := "text"
		if strings.Contains(strings.Join(labels, ""), corpus.Code) {
			name = "code"
		}
		pieces.Slice(name).Add(labels, found)
	}
	code, text := linetagtrain.OddsOfPieces(m, messages)
	r := &messageReport{
		All: all.Figures(), Chats: []segmentation.Figures{chats.Figures("as chat")}, Pieces: pieces.Figures(),
		Lines: len(code) + len(text), AUC: segmentation.AUC(code, text), Fences: fences,
	}
	if len(checked) > 0 {
		r.Checked = checked.Figures()
	}
	return r
}

func (r *messageReport) print(w io.Writer) error {
	for _, t := range []struct {
		title   string
		figures []segmentation.Figures
	}{
		{"Messages as people sent them", r.All},
		{"Messages that a person has read", r.Checked},
		{"Messages with text and code, without capitals and final marks beside the code, and without blank lines between the two", r.Chats},
		{"Pieces of one to three lines of messages", r.Pieces},
	} {
		if len(t.figures) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\n\n", t.title)
		if err := segmentation.Print(w, t.figures); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "AUC of the odds that a piece of one line is code: %.4f (%d pieces)\n\n", r.AUC, r.Lines)
	f := r.Fences
	_, err := fmt.Fprintf(w, `Messages with their code in fences: of %d lines of text in %d messages, %d are taken for code.
With one block left bare beside the fences: %d of %d are found exactly, %d of %d of one line; of %d lines of text, %d are taken for code.
`, f.Text, f.Messages, f.TextAsCode, f.Found, f.Blocks, f.SingleFound, f.SingleBlocks, f.BareText, f.BareTextAsCode)
	return err
}
