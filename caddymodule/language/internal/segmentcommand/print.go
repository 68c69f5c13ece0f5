package segmentcommand

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// print prints the segments of a file's text, with its name if it is one of several.
func (r *run) print(ctx context.Context, file, text string, several bool) error {
	segments, err := contract.Segments(ctx, segment.Default(), text, r.classify)
	if err != nil {
		return err
	}
	out := r.buffer[:0]
	switch {
	case r.json:
		out = append(out, '{')
		if file != standardInput {
			out, _ = jsontext.AppendQuote(append(out, `"file":`...), file)
			out = append(out, ',')
		}
		start := len(out)
		out = contract.AppendSegments(out, text, segments, contract.SegmentOptions{Classify: r.classify, MinConfidence: r.minConfidence})
		out = append(append(out[:start], out[start+1:]...), '\n') // the object goes on: without its first brace
	case r.ansi:
		if several {
			out = fmt.Appendf(out, "%s==> %s <==%s\n", bold, terminal.Visible(file), plain)
		}
		out = r.appendColored(out, text, segments)
	default:
		if several {
			out = fmt.Appendf(out, "==> %s <==\n", file)
		}
		out = segment.AppendMarkdown(out, text, segments, r.minConfidence)
	}
	r.buffer = out
	_, err = r.out.Write(out)
	return err
}

// Escape sequences (ECMA-48, SGR).
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

// colors are those of the languages: all that are readable on dark and light.
var colors = [...]string{"\x1b[36m", "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[34m", "\x1b[31m"}

// appendColored appends the segments for a terminal: text as it is, code with a bar at its left and its language above.
func (r *run) appendColored(dst []byte, text string, segments []segment.Classified) []byte {
	for _, s := range segments {
		content := strings.Trim(s.Content(text), "\r\n")
		if s.Kind == segment.Text {
			dst = append(append(dst, terminal.Visible(content)...), '\n')
			continue
		}
		color, label := colors[0], "code"
		if l := s.AtLeast(r.minConfidence); r.classify && l != segment.UnknownLanguage {
			color = colors[int(l)%len(colors)]
			label = fmt.Sprintf("%s %s%.0f %%", l.Name(), faint, 100*s.Confidence)
		}
		dst = fmt.Appendf(dst, "%s┌ %s%s\n", color, label, plain)
		for line := range strings.Lines(content) {
			dst = fmt.Appendf(dst, "%s│%s %s\n", color, plain, terminal.Visible(strings.TrimRight(line, "\r\n")))
		}
	}
	return dst
}

// progress says on a terminal which file is being read.
type progress struct {
	out   io.Writer
	total int
	shown bool
}

func (p *progress) at(n int, file string) {
	if p.shown {
		fmt.Fprintf(p.out, "\r\x1b[K%d/%d %s", n, p.total, terminal.Visible(file))
	}
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
