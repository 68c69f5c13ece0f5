// Package cases has messages like those that users of other tools reported as misread: short ones, of code alone, of
// words alone, or of both. The messages are our own; the source of each is the report that tells what went wrong there. They need no
// corpus. Nothing is trained on them or chosen by them.
package cases

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Case is a message with what it is.
type Case struct {
	Tool   string   `json:"tool"`   // that misread something like it
	Source string   `json:"source"` // link of the report
	Report string   `json:"report"` // what went wrong there
	Want   string   `json:"want"`   // what it consists of, in order, joined by " + ": Text, or the label of a language
	Lines  []string `json:"text"`
}

// Text in Case.Want says that the message has no code.
const Text = "text"

//go:embed cases.json
var file []byte

// All are the cases, in the order of the file.
var All = sync.OnceValue(func() []Case {
	var all []Case
	if err := json.Unmarshal(file, &all); err != nil {
		panic(err) // the file is part of the program
	}
	return all
})

// Found is what the segmenter makes of a case, in the terms of Case.Want; of a message that it takes for several things,
// all of them in order, joined by " + ".
func Found(c *Case) (string, error) {
	segments, err := segment.Default().AppendClassified(context.Background(), nil, strings.Join(c.Lines, "\n"))
	if err != nil {
		return "", err
	}
	var found []string
	for _, s := range segments {
		what := Text
		if s.Kind == segment.Code {
			what = s.Language.String()
		}
		found = append(found, what)
	}
	return strings.Join(slices.Compact(found), " + "), nil
}

// Print writes what is misread, and the percentage that is not.
func Print(w io.Writer) error {
	right := 0
	for i := range All() {
		c := &All()[i]
		found, err := Found(c)
		if err != nil {
			return err
		}
		if found == c.Want {
			right++
			continue
		}
		fmt.Fprintf(w, "%s, found %s: %s (%s, %s)\n\t%s\n", c.Want, found, c.Report, c.Tool, c.Source, strings.Join(c.Lines, "\n\t"))
	}
	_, err := fmt.Fprintf(w, "\n%d of %d cases right, %.1f %%\n", right, len(All()), 100*float64(right)/float64(len(All())))
	return err
}
