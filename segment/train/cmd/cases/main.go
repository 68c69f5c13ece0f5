// Command cases reads messages like those that users of other tools reported as misread: short ones, of code alone, of
// words alone, or of both. It prints which of them package segment misreads. The messages are our own; the source of each
// is the report that tells what went wrong there. Nothing is trained on them or chosen by them, and no corpus is needed.
//
//	go run ./cmd/cases
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func main() {
	if err := report(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cases:", err)
		os.Exit(1)
	}
}

// message is a message with what it is.
type message struct {
	Tool   string   `json:"tool"`   // that misread something like it
	Source string   `json:"source"` // link of the report
	Report string   `json:"report"` // what went wrong there
	Want   string   `json:"want"`   // what it consists of, in order, joined by " + ": text, or the label of a language
	Lines  []string `json:"text"`
}

// text in message.Want says that the message has no code.
const text = "text"

//go:embed cases.json
var file []byte

// messages are the cases, in the order of the file.
var messages = corpus.Embedded[[]message](file)

// read is what the segmenter makes of a case, in the terms of message.Want; of a message that it takes for several things,
// all of them in order, joined by " + ".
func read(c *message) (string, error) {
	segments, err := segment.Default().AppendClassified(context.Background(), nil, strings.Join(c.Lines, "\n"))
	if err != nil {
		return "", err
	}
	var found []string
	for _, s := range segments {
		what := text
		if s.Kind == segment.Code {
			what = s.Language.String()
		}
		found = append(found, what)
	}
	return strings.Join(slices.Compact(found), " + "), nil
}

// report writes what is misread, and the percentage that is not.
func report(w io.Writer) error {
	right := 0
	for i := range messages() {
		c := &messages()[i]
		found, err := read(c)
		if err != nil {
			return err
		}
		if found == c.Want {
			right++
			continue
		}
		fmt.Fprintf(w, "%s, found %s: %s (%s, %s)\n\t%s\n", c.Want, found, c.Report, c.Tool, c.Source, strings.Join(c.Lines, "\n\t"))
	}
	_, err := fmt.Fprintf(w, "\n%d of %d cases right, %.1f %%\n", right, len(messages()), 100*float64(right)/float64(len(messages())))
	return err
}
