package linetagtrain

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// variation changes a part of the messages. share tells how many of those like m.
type variation struct {
	share  func(m message) float64
	change func(p *pool, m message, r *rand.Rand) message
}

// variations are made in this order, each of what those before it have left.
var variations = []variation{
	{of(0.3), (*pool).exchange},
	{of(0.08), (*pool).insert},
	{of(0.02), func(_ *pool, m message, r *rand.Rand) message { return calculate(m, r) }},
	{of(0.04), inPlace(func(_ *pool, m *message, r *rand.Rand) {
		for i, l := range m.lines {
			if m.labels[i] == corpus.Text {
				m.lines[i] = casual(l, r)
			}
		}
	})},
	{of(0.06), inPlace(func(p *pool, m *message, r *rand.Rand) { m.join(p.document(r), r.IntN(3)) })},
	{of(0.02), inPlace(func(p *pool, m *message, r *rand.Rand) { m.join(p.links(r), 1) })},
	{of(0.04), inPlace(func(p *pool, m *message, r *rand.Rand) { m.join(p.written(r), r.IntN(2)) })},
	{of(0.15), func(_ *pool, m message, r *rand.Rand) message { return crop(m, r) }},
	{of(0.08), func(_ *pool, m message, r *rand.Rand) message { return tighten(m, r) }},
	{of(0.08), func(_ *pool, m message, r *rand.Rand) message { return rewrap(m, 40+r.IntN(65)) }},
	{of(0.05), inPlace(func(_ *pool, m *message, r *rand.Rand) {
		indentCode(m, []string{"  ", "    ", "\t", "        ", "      "}[r.IntN(5)])
	})},
	{of(0.02), inPlace(func(_ *pool, m *message, _ *rand.Rand) { dedentCode(m) })},
	{of(0.03), func(_ *pool, m message, _ *rand.Rand) message { return space(m) }},
	{of(0.05), inPlace(func(_ *pool, m *message, r *rand.Rand) { disguise(m, r) })},
	{of(0.02), inPlace(func(_ *pool, m *message, r *rand.Rand) {
		prefix(m, []string{"> ", ">", ">> ", "    ", "  "}[r.IntN(5)])
	})},
	{of(0.02), func(_ *pool, m message, r *rand.Rand) message { return frame(m, r) }},
	{of(0.03), inPlace((*pool).sign)},
	{of(0.02), inPlace(func(_ *pool, m *message, _ *rand.Rand) { html(m) })},
	{sourceShare, (*pool).source},
	{of(0.06), (*pool).digress},
	{of(0.03), inPlace(func(p *pool, m *message, r *rand.Rand) { m.join(p.report(r), 1) })},
	{of(0.04), inPlace(func(_ *pool, m *message, r *rand.Rand) { hurried(*m, r) })},
	{of(0.05), func(_ *pool, m message, _ *rand.Rand) message { return glue(m) }},
	{of(0.2), inPlace(func(_ *pool, m *message, r *rand.Rand) { fence(m, r) })},
}

func of(share float64) func(message) float64 { return func(message) float64 { return share } }

func inPlace(change func(*pool, *message, *rand.Rand)) func(*pool, message, *rand.Rand) message {
	return func(p *pool, m message, r *rand.Rand) message {
		change(p, &m, r)
		return m
	}
}

// augment makes a variation of a training document: what the same people might have sent on another day, through
// another program. Every change keeps the truth of the labels.
func (p *pool) augment(m message, r *rand.Rand) message {
	for _, v := range variations {
		if r.Float64() < v.share(m) {
			m = v.change(p, m, r)
		}
	}
	return m
}

// crop keeps a run of lines.
func crop(m message, r *rand.Rand) message {
	n := len(m.lines)
	size := 1 + r.IntN(n)
	if r.IntN(2) == 0 {
		size = min(n, 1+r.IntN(12))
	}
	at := r.IntN(n - size + 1)
	c := message{lines: m.lines[at : at+size], labels: m.labels[at : at+size]}
	if !c.content() {
		return m
	}
	return c
}

// brief is a message of one to three lines of text.
func (p *pool) brief(r *rand.Rand) message {
	m := message{}
	if r.IntN(8) == 0 {
		m.add(formula(r), corpus.Text)
		return m
	}
	for {
		from := p.document(r)
		at := r.IntN(len(from.lines))
		if from.labels[at] != corpus.Text {
			continue
		}
		for range 1 + r.IntN(3) {
			if at == len(from.lines) || from.labels[at] != corpus.Text {
				break
			}
			m.add(from.lines[at], corpus.Text)
			at++
		}
		return m
	}
}

// insert puts a snippet between two paragraphs, or all of the message around one.
func (p *pool) insert(m message, r *rand.Rand) message {
	var places []int
	for i := 1; i < len(m.lines); i++ {
		if m.labels[i] == corpus.Blank && m.labels[i-1] == corpus.Text {
			places = append(places, i)
		}
	}
	places = append(places, len(m.lines))
	at := places[r.IntN(len(places))]
	var s message
	switch r.IntN(6) {
	case 0, 1:
		s = p.commented(r)
	case 2, 3:
		s = p.output(r)
	default:
		s = p.snippet(r)
	}
	blanks := r.IntN(2)
	out := message{}
	out.join(message{lines: m.lines[:at], labels: m.labels[:at]}, 0)
	out.join(s, blanks)
	if at < len(m.lines) {
		out.join(message{lines: m.lines[at:], labels: m.labels[at:]}, 0)
	}
	return out
}

// exchange puts other snippets of about the same length in the place of some blocks of code, so that what stands around
// code is learnt apart from what the code says.
func (p *pool) exchange(m message, r *rand.Rand) message {
	out := message{}
	text := false
	for _, l := range m.labels {
		text = text || l == corpus.Text
	}
	if !text {
		return m
	}
	for i := 0; i < len(m.lines); {
		if m.labels[i] != corpus.Code {
			out.add(m.lines[i], m.labels[i])
			i++
			continue
		}
		end := i + 1
		for j := end; j < len(m.lines) && m.labels[j] != corpus.Text; j++ {
			if m.labels[j] == corpus.Code {
				end = j + 1
			}
		}
		if alike := p.bySize[classification.Length(end-i)]; len(alike) == 0 || r.IntN(2) == 0 {
			out.join(message{lines: m.lines[i:end], labels: m.labels[i:end]}, 0)
		} else if r.IntN(7) == 0 {
			out.join(p.terse(r), 0)
		} else if r.IntN(10) == 0 {
			out.join(p.output(r), 0)
		} else {
			out.join(snippetMessage(&p.snippets[alike[r.IntN(len(alike))]]), 0)
		}
		i = end
	}
	return out
}

// tighten removes blank lines between text and code, or all of them.
func tighten(m message, r *rand.Rand) message {
	all := r.IntN(4) == 0
	out := message{}
	for i, l := range m.lines {
		if m.labels[i] == corpus.Blank {
			before, after := label(m, i, -1), label(m, i, 1)
			if all || before != after {
				continue
			}
		}
		out.add(l, m.labels[i])
	}
	if !out.content() {
		return m
	}
	return out
}

// glue removes the blank lines between code and the text below it.
func glue(m message) message {
	out := message{}
	for i, l := range m.lines {
		if m.labels[i] == corpus.Blank && label(m, i, -1) == corpus.Code && label(m, i, 1) == corpus.Text {
			continue
		}
		out.add(l, m.labels[i])
	}
	return out
}

// space puts a blank line behind each line of code, as some pages do to what is pasted into them.
func space(m message) message {
	out := message{}
	for i, l := range m.lines {
		if i > 0 && m.labels[i] == corpus.Code && m.labels[i-1] == corpus.Code {
			out.add("", corpus.Blank)
		}
		out.add(l, m.labels[i])
	}
	return out
}

// label is the label of the next line with content in direction step.
func label(m message, i, step int) string {
	for i += step; i >= 0 && i < len(m.labels); i += step {
		if m.labels[i] != corpus.Blank {
			return m.labels[i]
		}
	}
	return ""
}

// rewrap breaks long lines of text at width columns, the indentation of lists kept.
func rewrap(m message, width int) message {
	out := message{}
	for i, l := range m.lines {
		if m.labels[i] != corpus.Text || len(l) <= width || strings.HasPrefix(l, "|") || strings.HasPrefix(l, "#") {
			out.add(l, m.labels[i])
			continue
		}
		body := strings.TrimLeft(l, " ")
		hang := l[:len(l)-len(body)]
		if strings.HasPrefix(body, "- ") || strings.HasPrefix(body, "* ") {
			hang += "  "
		} else if strings.HasPrefix(body, "> ") {
			hang += "> "
		}
		line := l[:len(l)-len(body)]
		empty := true
		for _, w := range strings.Split(body, " ") {
			if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > width {
				out.add(line, corpus.Text)
				line, empty = hang, true
			}
			if !empty {
				line += " "
			}
			line += w
			if w != "" {
				empty = false
			}
		}
		if !empty {
			out.add(line, corpus.Text)
		}
	}
	return out
}

func indentCode(m *message, by string) {
	for i, l := range m.lines {
		if m.labels[i] == corpus.Code {
			m.lines[i] = by + l
		}
	}
}

// dedentCode removes all indentation, as some mail and chat programs do.
func dedentCode(m *message) {
	for i, l := range m.lines {
		if m.labels[i] == corpus.Code {
			m.lines[i] = strings.TrimLeft(l, " \t")
		}
	}
}

// frames are what stands before and after code that was copied out of an answer of a language model, or that somebody put in
// single backticks: lines of text, and what the first and the last line of the code begin and end with.
var frames = []struct {
	lines      []string
	begin, end string
}{
	{lines: []string{"{tag}", "Copy code"}},
	{lines: []string{"{tag}", "Copy", "Edit"}},
	{lines: []string{"{tag}"}},
	{begin: "`", end: "`"},
}

// frame puts each block of code into one of frames.
func frame(m message, r *rand.Rand) message {
	f := frames[r.IntN(len(frames))]
	out := message{}
	for i, l := range m.lines {
		if m.labels[i] == corpus.Code {
			if label(m, i, -1) != corpus.Code {
				tag := tags[r.IntN(len(tags))]
				for _, line := range f.lines {
					out.add(strings.Replace(line, "{tag}", tag, 1), corpus.Text)
				}
				l = f.begin + l
			}
			if label(m, i, 1) != corpus.Code {
				l += f.end
			}
		}
		out.add(l, m.labels[i])
	}
	return out
}

// tags stand above copied code.
var tags = strings.Fields("bash python javascript typescript json html css sql java go php csharp yaml plaintext")

func prefix(m *message, by string) {
	for i, l := range m.lines {
		if m.labels[i] == corpus.Blank {
			m.lines[i] = strings.TrimRight(by, " ")
			continue
		}
		m.lines[i] = by + l
	}
}

// sourceShare is the part of the messages like m that get more of what Markdown sources have: more if it looks like one.
func sourceShare(m message) float64 {
	for i, l := range m.lines {
		if m.labels[i] == corpus.Text && (strings.HasPrefix(l, "## ") || strings.Contains(l, "](")) {
			return 0.25
		}
	}
	return 0.01
}

// html puts the paragraphs and list items of text into HTML elements, as the sources of posts on the web have them.
func html(m *message) {
	for i, l := range m.lines {
		if m.labels[i] != corpus.Text {
			continue
		}
		if item := strings.TrimPrefix(strings.TrimSpace(l), "- "); item != strings.TrimSpace(l) {
			m.lines[i] = "<li>" + item + "</li>"
			continue
		}
		if i == 0 || m.labels[i-1] != corpus.Text || strings.HasSuffix(m.lines[i-1], ">") {
			l = "<p>" + l
		}
		if i+1 == len(m.lines) || m.labels[i+1] != corpus.Text || strings.HasPrefix(m.lines[i+1], "- ") {
			l += "</p>"
		}
		m.lines[i] = l
	}
}

// sign puts who speaks, and perhaps when, before lines of text, as chat logs do.
func (p *pool) sign(m *message, r *rand.Rand) {
	groups := printed().People
	group := groups[r.IntN(len(groups))]
	if len(group) > 1 || !strings.Contains(group[0], "{msg}") {
		return
	}
	f := p.newFiller(r)
	before, after, _ := strings.Cut(group[0], "{msg}")
	for i, l := range m.lines {
		if m.labels[i] == corpus.Text {
			m.lines[i] = f.fill(before) + l + f.fill(after)
		}
	}
}

// fence puts the blocks of code into fences: all of them, or some if the author forgets.
func fence(m *message, r *rand.Rand) {
	forgetful := r.Float64() < 0.4
	given := false
	for i, l := range m.labels {
		if l != corpus.Code {
			continue
		}
		begins := (i == 0 || m.labels[i-1] != corpus.Code) && (i < 2 || m.labels[i-1] != corpus.Blank || m.labels[i-2] != corpus.Code)
		if begins {
			given = !forgetful || r.IntN(2) == 0
		}
		switch {
		case given && begins:
			m.fenced = append(m.fenced, [2]int{i, i})
		case given:
			m.fenced[len(m.fenced)-1][1] = i
		}
	}
}
