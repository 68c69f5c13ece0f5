package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Why there is nothing to say of a body.
var (
	// ErrNotJSON: it is not JSON in UTF-8.
	ErrNotJSON = errors.New("the body is not valid JSON")
	// ErrNoMessage: it is JSON, and none of the fields is in it.
	ErrNoMessage = errors.New("the body has none of the fields that hold messages")
)

// AppendTexts appends the strings in body that the fields select to dst, in the order of the body. Body is a JSON document,
// or several, one after the other. If a name is given twice, both count: servers differ in which they read. What is not a
// string is no text. The error wraps [ErrNotJSON] or [ErrNoMessage].
func (f Fields) AppendTexts(dst []string, body []byte) ([]string, error) {
	w := walker{texts: dst}
	all := f.paths
	if len(all) == 0 {
		all = known
		w.start = appendCursors(w.start, marks, true)
	}
	w.start = appendCursors(w.start, all, false)
	if err := w.documents(body); err != nil {
		return dst, fmt.Errorf("%w: %w", ErrNotJSON, err)
	}
	if !w.found {
		return dst, ErrNoMessage
	}
	return w.texts, nil
}

// cursor is a place in a path: the steps that are left.
type cursor struct {
	path
	mark bool
}

func appendCursors(cursors []cursor, paths []path, mark bool) []cursor {
	for _, p := range paths {
		cursors = append(cursors, cursor{p, mark})
	}
	return cursors
}

// walker reads documents once, and skips what no path leads to.
type walker struct {
	decoder *jsontext.Decoder
	start   []cursor // of all paths
	texts   []string
	found   bool // that something was selected
}

func (w *walker) documents(body []byte) error {
	w.decoder = decoderOf(body)
	for {
		if err := w.value(w.start); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func decoderOf(document []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(document), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// value reads a value that the cursors lead to.
func (w *walker) value(cursors []cursor) error {
	selected, further, inString := false, false, false
	for i, c := range cursors {
		if len(c.path) == 0 {
			w.found = true
			selected = selected || !c.mark
			continue
		}
		further = true
		if c.path[0].kind == parsed {
			inString = true
			cursors[i].path = c.path[1:]
		}
	}
	switch kind := w.decoder.PeekKind(); {
	case kind == '"' && inString:
		return w.parsed(cursors)
	case kind == '"' && selected:
		token, err := w.decoder.ReadToken()
		if err == nil {
			w.texts = append(w.texts, token.String())
		}
		return err
	case kind == '{' && further:
		return w.object(cursors)
	case kind == '[' && further:
		return w.array(cursors)
	}
	return w.decoder.SkipValue()
}

// parsed reads a string that holds JSON, to which the cursors lead. One that holds none is selected.
func (w *walker) parsed(cursors []cursor) error {
	token, err := w.decoder.ReadToken()
	if err != nil {
		return err
	}
	w.found = true
	text := token.String()
	inner := walker{start: cursors, texts: w.texts}
	if inner.documents([]byte(text)) != nil {
		inner.texts = append(w.texts, text)
	}
	w.texts = inner.texts
	return nil
}

func (w *walker) object(cursors []cursor) error {
	if _, err := w.decoder.ReadToken(); err != nil {
		return err
	}
	var next []cursor
	for w.decoder.PeekKind() == '"' {
		token, err := w.decoder.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		next = advance(next[:0], cursors, func(s step) bool { return s.kind == member && s.name == name })
		if err := w.value(next); err != nil {
			return err
		}
	}
	_, err := w.decoder.ReadToken()
	return err
}

func (w *walker) array(cursors []cursor) error {
	length := 0
	if slices.ContainsFunc(cursors, func(c cursor) bool { return len(c.path) > 0 && c.path[0].index < 0 }) {
		document, err := w.decoder.ReadValue()
		if err != nil {
			return err
		}
		if length, err = lengthOf(document); err != nil {
			return err
		}
		defer func(outer *jsontext.Decoder) { w.decoder = outer }(w.decoder)
		w.decoder = decoderOf(document)
	}
	if _, err := w.decoder.ReadToken(); err != nil {
		return err
	}
	var next []cursor
	for i := 0; w.decoder.PeekKind() != ']'; i++ {
		next = advance(next[:0], cursors, func(s step) bool { return s.kind == element && (s.index == i || s.index == i-length) })
		if err := w.value(next); err != nil {
			return err
		}
	}
	_, err := w.decoder.ReadToken()
	return err
}

// lengthOf is the number of elements of an array.
func lengthOf(array []byte) (n int, err error) {
	decoder := decoderOf(array)
	_, err = decoder.ReadToken()
	for ; err == nil && decoder.PeekKind() != ']'; n++ {
		err = decoder.SkipValue()
	}
	return n, err
}

// advance appends the cursors that lead to a child for which leads is true of a step of its kind.
func advance(next, cursors []cursor, leads func(step) bool) []cursor {
	for _, c := range cursors {
		if len(c.path) == 0 {
			continue
		}
		switch s := c.path[0]; {
		case s.kind == descendants:
			next = append(next, c, cursor{mark: c.mark})
		case s.kind == children, leads(s):
			next = append(next, cursor{c.path[1:], c.mark})
		}
	}
	return next
}
