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
	Pieces  []segmentation.Figures `json:"pieces"`  // by kind of the only label of their lines: text or code
	Lines   int                    `json:"lines"`   // pieces of one line
	AUC     float64                `json:"auc"`     // of the odds that they are code, 0 to 1
}

// piece is the kind of the pieces of messages.
const piece = "message-line"

// measureMessages labels messages and counts; m gives the odds of single lines.
func measureMessages(label labelFunc, m *linetag.Model, messages []corpus.Document) *messageReport {
	all, checked, pieces := segmentation.Table{}, segmentation.Table{}, segmentation.Table{}
	odds := linetagtrain.Odds(m)
	var code, text []float64
	for i := range messages {
		d := &messages[i]
		labels := segmentation.Corrected(d)
		found := label(d.Text)
		if d.Kind != piece {
			kind := strings.TrimPrefix(d.Kind, "message-")
			all.Slice(kind).Add(labels, found)
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
		if len(labels) != 1 {
			continue
		}
		if o, ok := odds(d.Text); ok && labels[0] == corpus.Code {
			code = append(code, o)
		} else if ok && labels[0] == corpus.Text {
			text = append(text, o)
		}
	}
	r := &messageReport{All: all.Figures(), Pieces: pieces.Figures(), Lines: len(code) + len(text), AUC: segmentation.AUC(code, text)}
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
	_, err := fmt.Fprintf(w, "AUC of the odds that a piece of one line is code: %.4f (%d pieces)\n", r.AUC, r.Lines)
	return err
}
