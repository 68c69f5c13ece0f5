package args

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"go.uber.org/zap"
)

// Segment is a directive as it stands in a Caddyfile: its name, arguments and block. It is
// empty for one that comes from JSON.
type Segment []caddyfile.Token

// adapted are the segments of the handlers that this process has adapted, by the SHA-256 of
// the handler's JSON. JSON has no lines, and many a mistake is found only when it is
// loaded, which `caddy run` and `caddy validate` do in the same process.
var adapted struct {
	sync.Mutex
	segments map[[sha256.Size]byte]Segment
}

// maxAdapted bounds what is kept of configurations that were adapted one after the other.
const maxAdapted = 1024

// Unmarshal reads a directive with its matcher into handler. Errors name the line of what
// they are about. [SegmentOf] has the segment until the handler is provisioned.
func Unmarshal(h httpcaddyfile.Helper, handler caddyfile.Unmarshaler) (set caddy.ModuleMap, segment Segment, err error) {
	segment = SegmentAt(h)
	if token, slip := segment.checkSlips(); slip != nil {
		return nil, segment, fmt.Errorf("%w, at %s:%d", slip, token.File, token.Line)
	}
	defer segment.Locate(&err)
	h.Next()
	if set, err = h.ExtractMatcherSet(); err != nil {
		return nil, segment, err
	}
	if err := handler.UnmarshalCaddyfile(h.Dispenser); err != nil {
		return nil, segment, err
	}
	segment.Of(handler)
	return set, segment, nil
}

// SegmentAt is the directive that a helper is about to read.
func SegmentAt(h httpcaddyfile.Helper) Segment {
	h.Next()
	segment := Segment(h.NextSegment())
	h.Reset()
	return segment
}

// Of has [SegmentOf] find the segment of a handler.
func (s Segment) Of(handler any) {
	key := sha256.Sum256(marshal(handler))
	adapted.Lock()
	defer adapted.Unlock()
	if adapted.segments == nil || len(adapted.segments) >= maxAdapted {
		adapted.segments = make(map[[sha256.Size]byte]Segment)
	}
	adapted.segments[key] = s
}

// SegmentOf is the segment of a handler that nothing has altered since it was decoded.
func SegmentOf(handler any) Segment {
	key := sha256.Sum256(marshal(handler))
	adapted.Lock()
	defer adapted.Unlock()
	return adapted.segments[key]
}

func marshal(handler any) []byte {
	encoded, _ := json.Marshal(handler) // a handler comes from JSON
	return encoded
}

// Locate adds to an error, if there is one, the file and line of what it is about, unless
// it names them already. It is deferred by functions that return err.
func (s Segment) Locate(err *error) {
	if *err == nil || len(s) == 0 || strings.Contains((*err).Error(), ", at "+s[0].File+":") {
		return
	}
	token := s.about((*err).Error())
	*err = fmt.Errorf("%w, at %s:%d", *err, token.File, token.Line)
}

// Fields are the file and line of what a message of the log is about.
func (s Segment) Fields(message string) []zap.Field {
	if len(s) == 0 {
		return nil
	}
	token := s.about(message)
	return []zap.Field{zap.String("file", token.File), zap.Int("line", token.Line)}
}

// about finds the option that a message names, as in "client app: redirect_uri /x is not
// absolute": the innermost one that it names, or whose address or placeholder it has; of several the one
// whose value it quotes, then the one that it names first. Without one it is an option of a block that the message does not name,
// or else the directive.
func (s Segment) about(message string) caddyfile.Token {
	found, depth, quoted, at := s[0], 0, false, len(message)
	open, blocks := []bool{}, s.blocks() // of each open block, whether the message names it
	within := []Segment{}                // the first line of each open block
	for line := range s.lines() {
		first, last := line[0], line[len(line)-1].Text
		if first.Text == "}" {
			open, within = open[:max(0, len(open)-1)], within[:max(0, len(within)-1)]
			continue
		}
		position, quotes := mention(message, line, within)
		named := position >= 0 && (last != "{" || blocks[first.Text] == 1 || quotes)
		if named && len(open) > 0 {
			inner := len(open)
			if slices.Contains(open, false) {
				inner = 0
			}
			if better := cmp.Or(inner-depth, compare(quotes, quoted), at-position); better > 0 || better == 0 && quotes { // what is there twice
				found, depth, quoted, at = first, inner, quotes, position
			}
		}
		if last == "{" {
			open, within = append(open, len(open) == 0 || named && !slices.Contains(open, false)), append(within, line)
		}
	}
	return found
}

// mention is where a message names the option of a line, or else has an address or a placeholder
// of it, -1 if nowhere, and whether it quotes a value. What stands around the line has, too, is
// not the line's.
func mention(message string, line Segment, within []Segment) (position int, quotes bool) {
	address := -1
	for _, argument := range line[1:] {
		isOfBlock := func(block Segment) bool {
			return slices.ContainsFunc(block[1:], func(other caddyfile.Token) bool { return other.Text == argument.Text })
		}
		if argument.Text == "{" || slices.ContainsFunc(within, isOfBlock) {
			continue
		}
		at := max(indexOfWord(message, withoutBraces.Replace(argument.Text)), indexOfWord(message, caddy.NewReplacer().ReplaceKnown(argument.Text, "")))
		quotes = quotes || at >= 0
		if strings.ContainsAny(argument.Text, "/{") {
			address = max(address, at)
		}
	}
	if position = indexOfWord(message, line[0].Text); position < 0 {
		position = address
	}
	return position, quotes
}

// blocks counts the blocks of each name.
func (s Segment) blocks() map[string]int {
	count := make(map[string]int)
	for line := range s.lines() {
		if line[len(line)-1].Text == "{" {
			count[line[0].Text]++
		}
	}
	return count
}

// lines are the tokens of each line.
func (s Segment) lines() iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for start, end := 0, 0; end < len(s); start = end {
			for end = start + 1; end < len(s) && s[end].File == s[start].File && s[end].Line == s[start].Line; {
				end++
			}
			if !yield(s[start:end]) {
				return
			}
		}
	}
}

var withoutBraces = strings.NewReplacer("{", "", "}", "")

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// indexOfWord is where text has word by itself, -1 if nowhere.
func indexOfWord(text, word string) int {
	isWord := func(c byte) bool {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	for at := 0; word != ""; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			break
		}
		start, end := at+next, at+next+len(word)
		if (start == 0 || !isWord(text[start-1]) || !isWord(word[0])) && (end == len(text) || !isWord(text[end]) || !isWord(word[len(word)-1])) {
			return start
		}
		at = start + 1
	}
	return -1
}
