package linetagtrain

import (
	"math/rand/v2"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// commentSign is what a line of code begins with if it is a comment, indentation included; else "".
func commentSign(l string) string {
	indent := indentation(l)
	for _, sign := range forms().Signs {
		if strings.HasPrefix(l[len(indent):], sign) {
			return indent + sign
		}
	}
	return ""
}

func indentation(l string) string { return l[:len(l)-len(strings.TrimLeft(l, " \t"))] }

// commented is a snippet with prose in its comments, as tutorials and documented sources have it.
func (p *pool) commented(r *rand.Rand) message {
	var s *corpus.Snippet
	family := ""
	for family == "" {
		s = &p.snippets[r.IntN(len(p.snippets))]
		family = forms().CommentsOf[s.Lang]
	}
	code := snippetMessage(s)
	styles := forms().Comments[family]
	style := styles[r.IntN(len(styles))]
	out := message{}
	next := 0
	for range 1 + r.IntN(4) {
		// Up to some line of the code, then a comment at the indentation of the line that follows.
		to := min(next+r.IntN(8), len(code.lines))
		if next == 0 && r.IntN(2) == 0 {
			to = 0
		}
		out.join(code.part(next, to), 0)
		next = to
		indent := ""
		if to < len(code.lines) {
			indent = indentation(code.lines[to])
		}
		prose := p.text(r)
		at := r.IntN(len(prose.lines))
		prose = prose.part(at, min(len(prose.lines), at+1+r.IntN(6)))
		if words := strings.Fields(prose.lines[0]); len(words) > 0 && r.IntN(3) == 0 { // a heading
			prose = message{}
			prose.add(strings.Join(words[:min(len(words), 1+r.IntN(4))], " "), corpus.Text)
		}
		prose.rewrap(40 + r.IntN(60))
		if r.IntN(3) == 0 {
			out.join(message{}, 1)
		}
		if style[0] != "" {
			out.add(indent+style[0], corpus.Code)
		}
		for i, l := range prose.lines {
			if prose.labels[i] == corpus.Blank && (style[0] != "" || r.IntN(2) == 0) {
				out.add("", corpus.Blank)
				continue
			}
			out.add(indent+style[1]+l, corpus.Code)
		}
		if style[2] != "" {
			out.add(indent+style[2], corpus.Code)
		}
		if r.IntN(4) == 0 {
			out.join(message{}, 1)
		}
	}
	out.join(code.part(next, len(code.lines)), 0)
	for len(out.lines) > 0 && out.labels[0] == corpus.Blank {
		out.lines, out.labels = out.lines[1:], out.labels[1:]
	}
	if !out.content() {
		return code
	}
	return out
}
