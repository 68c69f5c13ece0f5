package prompt

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Content is what the messages of a request hold.
type Content struct {
	// Languages are those of the code, in the order of their number of lines.
	Languages []segment.Language
	// CodeLines and TextLines count lines that are not blank.
	CodeLines, TextLines int
	// Unread says that there may be more, as [Fields.AppendTexts] does.
	Unread bool
}

// CodeShare is the share of code among the lines, from 0 to 1; 0 if there are none.
func (c Content) CodeShare() float64 {
	return float64(c.CodeLines) / float64(max(c.CodeLines+c.TextLines, 1))
}

// Contains reports whether there is a line of the kind: of code, if languages are given, in one of them.
func (c Content) Contains(kind segment.Kind, languages ...segment.Language) bool {
	switch {
	case kind == segment.Text:
		return c.TextLines > 0
	case len(languages) == 0:
		return c.CodeLines > 0
	}
	return slices.ContainsFunc(languages, func(l segment.Language) bool { return slices.Contains(c.Languages, l) })
}

// Read says what the messages in body hold that the fields select. The error is that of [Fields.AppendTexts] or ctx, which
// [segment.Segmenter.AppendSegments] explains.
func Read(ctx context.Context, body []byte, fields Fields) (Content, error) {
	texts, unread, err := fields.AppendTexts(nil, body)
	if err != nil {
		return Content{}, err
	}
	c, err := Count(ctx, texts)
	c.Unread = unread
	return c, err
}

// Count is as [Read] for messages. Of more than some hundred, those of a few words are read together.
func Count(ctx context.Context, texts []string) (Content, error) {
	var (
		c     Content
		lines [256]int // by language
	)
	err := segment.Default().ClassifyEach(ctx, together(texts), func(text string, parts []segment.Classified) {
		for _, part := range parts {
			n := lineCount(text[part.Start:part.End])
			if part.Kind == segment.Text {
				c.TextLines += n
				continue
			}
			c.CodeLines += n
			lines[part.Language] += n
		}
	})
	if err != nil {
		return Content{}, err
	}
	for _, language := range segment.Languages() {
		if lines[language] > 0 {
			c.Languages = append(c.Languages, language)
		}
	}
	slices.SortStableFunc(c.Languages, func(a, b segment.Language) int { return cmp.Compare(lines[b], lines[a]) })
	return c, nil
}

// A text is as much work as one of so many bytes, even if it is smaller.
const (
	leastText = 256
	fewTexts  = 128
)

// together yields the texts. Of many small ones, those that follow each other come as one, a line each, so that
// all of them are no more work than fewTexts, and what their bytes are in any case.
func together(texts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		unspent := fewTexts * leastText
		var joined strings.Builder
		for _, text := range texts {
			unspent += len(text)
			if joined.Len() == 0 && unspent >= leastText {
				unspent -= leastText
				if !yield(text) {
					return
				}
				continue
			}
			joined.WriteString(text)
			joined.WriteByte('\n')
			if joined.Len() >= leastText {
				unspent -= leastText
				if !yield(joined.String()) {
					return
				}
				joined.Reset()
			}
		}
		if joined.Len() > 0 {
			yield(joined.String())
		}
	}
}

// lineCount counts the lines of text that are not blank.
func lineCount(text string) (n int) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
