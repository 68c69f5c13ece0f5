package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Why there is nothing to say of a body.
var (
	// ErrNotJSON: it is not JSON in UTF-8.
	ErrNotJSON = errors.New("the body is not valid JSON")
	// ErrNoMessage: it is JSON, and none of the fields is in it.
	ErrNoMessage = errors.New("the body has none of the fields that hold messages")
)

// AppendTexts appends the messages in body that the fields select to dst, in the order of the body. Body is a JSON document,
// or several, one after the other. If a name is given twice, both count: servers differ in which they read. Unread says that
// there is something more that may be a message: an image, a file, tokens or, with the fields of the known APIs, a string in a
// field that is not known. The error wraps [ErrNotJSON] or [ErrNoMessage].
func (f Fields) AppendTexts(dst []string, body []byte) (texts []string, unread bool, err error) {
	r := reading{texts: dst, phrases: maxPhrases}
	at := place{content: skipped, cursors: appendCursors(nil, f.paths, messages)}
	if len(f.paths) == 0 {
		at = place{content: unlisted, cursors: known}
	}
	if err := r.documents(body, at); err != nil {
		return dst, false, fmt.Errorf("%w: %w", ErrNotJSON, err)
	}
	if !r.found {
		return dst, false, ErrNoMessage
	}
	return r.texts, r.unread, nil
}

// content says what a part of a document holds.
type content uint8

const (
	unlisted content = iota // nothing that may be text
	messages
	skipped // nothing that is looked at
)

// cursor is a place in a path: the steps that are left to what holds the content.
type cursor struct {
	path
	content
}

func appendCursors(cursors []cursor, paths []path, c content) []cursor {
	for _, p := range paths {
		cursors = append(cursors, cursor{p, c})
	}
	return cursors
}

// place is where a value stands.
type place struct {
	content
	cursors  []cursor
	name     string // of the member that it is, or is an element of
	isField  bool   // selected itself, or an element of what is
	isPhrase bool   // in one of phrases
	isMedia  bool   // in one of media
}

// reading is what was found in documents that are read once.
type reading struct {
	decoder *jsontext.Decoder
	texts   []string
	found   bool // something that was looked for, be it empty
	unread  bool
	phrases int // bytes of them that are left
}

func (r *reading) documents(body []byte, at place) error {
	r.decoder = decoderOf(body)
	for {
		if err := r.value(at); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func decoderOf(document []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(document), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// value reads a value.
func (r *reading) value(at place) error {
	further := false
	for _, c := range at.cursors {
		if len(c.path) > 0 {
			further = true
			continue
		}
		r.found = r.found || c.content != skipped
		at.content, at.isField = c.content, c.content == messages
	}
	kind := r.decoder.PeekKind()
	if at.content == skipped && (!further || kind != '{' && kind != '[') {
		return r.decoder.SkipValue()
	}
	switch kind {
	case '{':
		return r.object(at)
	case '[':
		return r.array(at)
	}
	token, err := r.decoder.ReadToken()
	switch {
	case err != nil:
	case kind == '"' && at.content == messages:
		r.message(at, token.String())
	case kind == '"':
		r.unlisted(at, token.String())
	case kind == '0' && (at.isField || at.content == unlisted && at.name == "context"):
		r.unread = true // tokens of text
	}
	return err
}

// message reads a string among messages.
func (r *reading) message(at place, text string) {
	switch {
	case text == "":
	case !at.isField && isLabel(at.name) && isToken(text):
	case isBlob(text), at.isMedia && !strings.ContainsFunc(text, unicode.IsSpace):
		r.unread = true
	case at.name == "arguments" && r.inJSON(text):
	default:
		r.texts = append(r.texts, text)
	}
}

// inJSON reads messages in a string that holds JSON, as the arguments of calls at OpenAI. It reports whether it holds any.
func (r *reading) inJSON(text string) bool {
	inner := reading{texts: r.texts, phrases: r.phrases}
	if inner.documents([]byte(text), place{content: messages}) != nil {
		return false
	}
	r.texts, r.unread = inner.texts, r.unread || inner.unread
	return true
}

// unlisted reads a string where none is known.
func (r *reading) unlisted(at place, text string) {
	switch {
	case isToken(text) && !isBlob(text):
	case at.isPhrase && len(text) <= r.phrases:
		r.phrases -= len(text)
	default:
		r.unread = r.unread || text != ""
	}
}

func (r *reading) object(at place) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	next := place{content: at.content}
	var cursors []cursor
	for r.decoder.PeekKind() == '"' {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		next.name = token.String()
		r.unread = r.unread || at.content != skipped && len(next.name) > maxName
		next.isPhrase = at.isPhrase || slices.Contains(phrases, next.name)
		next.isMedia = at.isMedia || slices.Contains(media, next.name) || next.name == "url" && at.name == "source"
		cursors = advance(cursors[:0], at.cursors, func(s step) bool { return s.kind == member && s.name == next.name })
		next.cursors = cursors
		if err := r.value(next); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *reading) array(at place) error {
	length := 0
	if slices.ContainsFunc(at.cursors, func(c cursor) bool { return len(c.path) > 0 && c.path[0].index < 0 }) {
		document, err := r.decoder.ReadValue()
		if err != nil {
			return err
		}
		if length, err = lengthOf(document); err != nil {
			return err
		}
		defer func(outer *jsontext.Decoder) { r.decoder = outer }(r.decoder)
		r.decoder = decoderOf(document)
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	next := at
	var cursors []cursor
	for i := 0; r.decoder.PeekKind() != ']'; i++ {
		cursors = advance(cursors[:0], at.cursors, func(s step) bool { return s.kind == element && (s.index == i || s.index == i-length) })
		next.cursors = cursors
		if err := r.value(next); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
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
		if len(c.path) > 0 && (c.path[0].kind == children || leads(c.path[0])) {
			next = append(next, cursor{c.path[1:], c.content})
		}
	}
	return next
}
