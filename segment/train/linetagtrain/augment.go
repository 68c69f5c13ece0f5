package linetagtrain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// variation changes a part of the messages. share tells how many of those like m.
type variation struct {
	share  func(m *message) float64
	change func(p *pool, m *message, r *rand.Rand)
}

// variations are made in this order, each of what those before it have left.
var variations = []variation{
	{of(0.3), exchange},
	{of(0.08), insert},
	{of(0.02), calculate},
	{of(0.04), relax},
	{of(0.06), func(p *pool, m *message, r *rand.Rand) { m.join(p.document(r), r.IntN(3)) }},
	{of(0.02), func(p *pool, m *message, r *rand.Rand) { m.join(p.links(r), 1) }},
	{of(0.04), func(p *pool, m *message, r *rand.Rand) { m.join(p.written(r), r.IntN(2)) }},
	{of(0.15), crop},
	{of(0.08), tighten},
	{of(0.08), func(_ *pool, m *message, r *rand.Rand) { m.rewrap(40 + r.IntN(65)) }},
	{of(0.05), indentCode},
	{of(0.02), dedentCode},
	{of(0.03), space},
	{of(0.05), disguise},
	{of(0.02), prefix},
	{of(0.02), frame},
	{of(0.03), sign},
	{of(0.02), html},
	{sourceShare, source},
	{of(0.06), digress},
	{of(0.03), func(p *pool, m *message, r *rand.Rand) { m.join(p.report(r), 1) }},
	{of(0.04), hurried},
	{of(0.05), glue},
	{of(0.2), fence},
}

func of(share float64) func(*message) float64 { return func(*message) float64 { return share } }

// augment makes a variation of a training document: what the same people might have sent on another day, through
// another program. Every change keeps the truth of the labels.
func (p *pool) augment(m *message, r *rand.Rand) {
	for _, v := range variations {
		if r.Float64() < v.share(m) {
			v.change(p, m, r)
		}
	}
}

// crop keeps a run of lines.
func crop(_ *pool, m *message, r *rand.Rand) {
	n := len(m.lines)
	size := 1 + r.IntN(n)
	if r.IntN(2) == 0 {
		size = min(n, 1+r.IntN(12))
	}
	at := r.IntN(n - size + 1)
	if c := m.part(at, at+size); c.content() {
		*m = c
	}
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
func insert(p *pool, m *message, r *rand.Rand) {
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
	m.put(at, r.IntN(2), s)
}

// exchange puts other snippets of about the same length in the place of some blocks of code, so that what stands around
// code is learnt apart from what the code says.
func exchange(p *pool, m *message, r *rand.Rand) {
	if !slices.Contains(m.labels, corpus.Text) {
		return
	}
	out := message{}
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
			out.join(m.part(i, end), 0)
		} else if r.IntN(7) == 0 {
			out.join(p.terse(r), 0)
		} else if r.IntN(10) == 0 {
			out.join(p.output(r), 0)
		} else {
			out.join(snippetMessage(alike[r.IntN(len(alike))]), 0)
		}
		i = end
	}
	*m = out
}

// relax writes the text as people in a hurry do; see casual.
func relax(_ *pool, m *message, r *rand.Rand) {
	m.each(corpus.Text, func(l string) string { return casual(l, r) })
}

// tighten removes blank lines between text and code, or all of them.
func tighten(_ *pool, m *message, r *rand.Rand) {
	all := r.IntN(4) == 0
	m.dropBlank(func(before, after string) bool { return all || before != after })
}

// glue removes the blank lines between code and the text below it.
func glue(_ *pool, m *message, _ *rand.Rand) {
	m.dropBlank(func(before, after string) bool { return before == corpus.Code && after == corpus.Text })
}

// dropBlank removes the blank lines for which drop is true of the labels of the lines with content around them.
func (m *message) dropBlank(drop func(before, after string) bool) {
	m.rewrite(func(out *message, i int, l string) {
		if m.labels[i] != corpus.Blank || !drop(m.label(i, -1), m.label(i, 1)) {
			out.add(l, m.labels[i])
		}
	})
}

// space puts a blank line behind each line of code, as some pages do to what is pasted into them.
func space(_ *pool, m *message, _ *rand.Rand) {
	m.rewrite(func(out *message, i int, l string) {
		if i > 0 && m.labels[i] == corpus.Code && m.labels[i-1] == corpus.Code {
			out.add("", corpus.Blank)
		}
		out.add(l, m.labels[i])
	})
}

// rewrap breaks long lines of text at width columns, the indentation of lists kept.
func (m *message) rewrap(width int) {
	m.rewrite(func(out *message, i int, l string) {
		if m.labels[i] != corpus.Text || len(l) <= width || strings.HasPrefix(l, "|") || strings.HasPrefix(l, "#") {
			out.add(l, m.labels[i])
			return
		}
		body := strings.TrimLeft(l, " ")
		line := l[:len(l)-len(body)]
		hang := line
		if strings.HasPrefix(body, "- ") || strings.HasPrefix(body, "* ") {
			hang += "  "
		} else if strings.HasPrefix(body, "> ") {
			hang += "> "
		}
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
			empty = empty && w == ""
		}
		if !empty {
			out.add(line, corpus.Text)
		}
	})
}

func indentCode(_ *pool, m *message, r *rand.Rand) {
	by := []string{"  ", "    ", "\t", "        ", "      "}[r.IntN(5)]
	m.each(corpus.Code, func(l string) string { return by + l })
}

// dedentCode removes all indentation, as some mail and chat programs do.
func dedentCode(_ *pool, m *message, _ *rand.Rand) {
	m.each(corpus.Code, func(l string) string { return strings.TrimLeft(l, " \t") })
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
func frame(_ *pool, m *message, r *rand.Rand) {
	f := frames[r.IntN(len(frames))]
	m.rewrite(func(out *message, i int, l string) {
		if m.labels[i] == corpus.Code {
			if m.label(i, -1) != corpus.Code {
				tag := tags[r.IntN(len(tags))]
				for _, line := range f.lines {
					out.add(strings.Replace(line, "{tag}", tag, 1), corpus.Text)
				}
				l = f.begin + l
			}
			if m.label(i, 1) != corpus.Code {
				l += f.end
			}
		}
		out.add(l, m.labels[i])
	})
}

// tags stand above copied code.
var tags = strings.Fields("bash python javascript typescript json html css sql java go php csharp yaml plaintext")

// prefix quotes or indents the message.
func prefix(_ *pool, m *message, r *rand.Rand) {
	by := []string{"> ", ">", ">> ", "    ", "  "}[r.IntN(5)]
	for i, l := range m.lines {
		m.lines[i] = by + l
		if m.labels[i] == corpus.Blank {
			m.lines[i] = strings.TrimRight(by, " ")
		}
	}
}

// sourceShare is the part of the messages like m that get more of what Markdown sources have: more if it looks like one.
func sourceShare(m *message) float64 {
	for i, l := range m.lines {
		if m.labels[i] == corpus.Text && (strings.HasPrefix(l, "## ") || strings.Contains(l, "](")) {
			return 0.25
		}
	}
	return 0.01
}

// html puts the paragraphs and list items of text into HTML elements, as the sources of posts on the web have them.
func html(_ *pool, m *message, _ *rand.Rand) {
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
func sign(p *pool, m *message, r *rand.Rand) {
	groups := forms().People
	group := groups[r.IntN(len(groups))]
	if len(group) > 1 || !strings.Contains(group[0], "{msg}") {
		return
	}
	f := p.newFiller(r)
	before, after, _ := strings.Cut(group[0], "{msg}")
	m.each(corpus.Text, func(l string) string { return f.fill(before) + l + f.fill(after) })
}

// fence puts the blocks of code into fences: all of them, or some if the author forgets.
func fence(_ *pool, m *message, r *rand.Rand) {
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
