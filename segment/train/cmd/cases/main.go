// Command cases reads short messages: code alone, words alone, or both. Most are like those that users of other tools reported as
// misread; the source of each is the report that tells what went wrong there. The others have what people paste. It prints which of
// them package segment misreads. The messages are our own. Nothing is trained on them or chosen by them, and no corpus is needed.
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
	Tool   string   `json:"tool"`   // that misread something like it; "" for what people paste
	Source string   `json:"source"` // link of the report
	Report string   `json:"report"` // what went wrong there, or what it is
	Want   string   `json:"want"`   // what it consists of, in order, joined by " + ": text, the label of a language, or code of any
	Lines  []string `json:"text"`
}

// Parts of message.Want besides the labels of languages.
const (
	text = "text"
	code = "code" // in any language
)

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

// right reports whether what was found of a case is what it consists of.
func (c *message) right(found string) bool {
	parts, want := strings.Split(found, " + "), strings.Split(c.Want, " + ")
	return slices.EqualFunc(parts, want, func(part, want string) bool { return part == want || want == code && part != text })
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
		if c.right(found) {
			right++
			continue
		}
		from := ""
		if c.Tool != "" {
			from = fmt.Sprintf(" (%s, %s)", c.Tool, c.Source)
		}
		fmt.Fprintf(w, "%s, found %s: %s%s\n\t%s\n", c.Want, found, c.Report, from, strings.Join(c.Lines, "\n\t"))
	}
	_, err := fmt.Fprintf(w, "\n%d of %d cases right, %.1f %%\n", right, len(messages()), 100*float64(right)/float64(len(messages())))
	return err
}
