package linetagtrain

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// message is a document that augmentation works on, line by line.
type message struct {
	lines  []string
	labels []string // of corpus.Document
	fenced [][2]int // first and last line of the code that stands in fences, which lines does not have
}

func newMessage(text string, labels []string) message {
	return message{lines: strings.Split(text, "\n"), labels: append([]string(nil), labels...)}
}

func snippetMessage(s *corpus.Snippet) message {
	m := message{lines: strings.Split(strings.TrimRight(s.Text, "\n"), "\n")}
	for _, l := range m.lines {
		if strings.TrimSpace(l) == "" {
			m.labels = append(m.labels, corpus.Blank)
		} else {
			m.labels = append(m.labels, corpus.Code)
		}
	}
	return m
}

func (m *message) add(line, label string) {
	m.lines = append(m.lines, line)
	m.labels = append(m.labels, label)
}

func (m *message) join(o message, blanks int) {
	for range blanks {
		m.add("", corpus.Blank)
	}
	m.lines = append(m.lines, o.lines...)
	m.labels = append(m.labels, o.labels...)
}

// part are the lines from one up to another.
func (m *message) part(from, to int) message {
	return message{lines: m.lines[from:to], labels: m.labels[from:to]}
}

// put puts o, after some blank lines, before line at.
func (m *message) put(at, blanks int, o message) {
	out := message{}
	out.join(m.part(0, at), 0)
	out.join(o, blanks)
	out.join(m.part(at, len(m.lines)), 0)
	*m = out
}

// each changes the lines with a label.
func (m *message) each(label string, change func(line string) string) {
	for i, l := range m.lines {
		if m.labels[i] == label {
			m.lines[i] = change(l)
		}
	}
}

// rewrite makes the message anew of what f makes of each line, unless that has no content.
func (m *message) rewrite(f func(out *message, i int, line string)) {
	out := message{}
	for i, l := range m.lines {
		f(&out, i, l)
	}
	if out.content() {
		*m = out
	}
}

// label is the label of the next line with content in direction step; "" if there is none.
func (m *message) label(i, step int) string {
	for i += step; i >= 0 && i < len(m.labels); i += step {
		if m.labels[i] != corpus.Blank {
			return m.labels[i]
		}
	}
	return ""
}

func (m *message) content() bool {
	return slices.ContainsFunc(m.labels, func(l string) bool { return l != corpus.Blank })
}

// pool is what augmentation draws from: documents and snippets of the training part.
type pool struct {
	documents []corpus.Document
	prose     []int // documents that have no code
	snippets  []corpus.Snippet
	bySize    [len(classification.Lengths)][]*corpus.Snippet // snippets by their length
	leads     []string                                       // lines of short text right before code
	chats     []int                                          // documents that are a line of a chat
}

func newPool(documents []corpus.Document, snippets []corpus.Snippet) *pool {
	p := &pool{documents: documents, snippets: snippets}
	for i := range documents {
		d := &documents[i]
		m := newMessage(d.Text, d.Labels)
		if !slices.Contains(d.Labels, corpus.Code) {
			p.prose = append(p.prose, i)
		}
		if d.Kind == corpus.ChatLine {
			p.chats = append(p.chats, i)
		}
		for j, l := range m.lines {
			if m.labels[j] == corpus.Text && len(l) < 100 && m.label(j, 1) == corpus.Code {
				p.leads = append(p.leads, l)
			}
		}
	}
	for i := range snippets {
		k := classification.Length(strings.Count(snippets[i].Text, "\n") + 1)
		p.bySize[k] = append(p.bySize[k], &snippets[i])
	}
	return p
}

func (p *pool) document(r *rand.Rand) message {
	d := &p.documents[r.IntN(len(p.documents))]
	return newMessage(d.Text, d.Labels)
}

func (p *pool) text(r *rand.Rand) message {
	d := &p.documents[p.prose[r.IntN(len(p.prose))]]
	return newMessage(d.Text, d.Labels)
}

func (p *pool) snippet(r *rand.Rand) message {
	return snippetMessage(&p.snippets[r.IntN(len(p.snippets))])
}

// doubtful is the label of lines whose truth is not believed; the network is free to find them text or code.
const doubtful = "?"

// doubt marks blocks of code that nobody would call code: prose in a fence without a usable tag, which is how some
// repositories write notes and warnings.
func doubt(d *corpus.Document) {
	if len(d.Langs) != len(d.Labels) || d.Kind == "pure-code" {
		return
	}
	ls := strings.Split(d.Text, "\n")
	for i := 0; i < len(ls); {
		if d.Langs[i] != "unknown" && d.Langs[i] != "markdown" {
			i++
			continue
		}
		end := i
		sentences, content := 0, 0
		for ; end < len(ls) && d.Langs[end] == d.Langs[i]; end++ {
			if d.Labels[end] == corpus.Code {
				content += len(ls[end])
				if sentence(ls[end]) {
					sentences += len(ls[end])
				}
			}
		}
		if 3*sentences >= 2*content {
			for j := i; j < end; j++ {
				if d.Labels[j] == corpus.Code {
					d.Labels[j] = doubtful
				}
			}
		}
		i = end
	}
}

// sentence tells whether a line reads like a sentence of English: many words in small letters and little else.
func sentence(l string) bool {
	words := strings.Fields(l)
	if len(words) < 6 {
		return false
	}
	plain := 0
	for _, w := range words {
		w = strings.Trim(w, ".,:;!?()\"'`*_")
		ok := w != ""
		for j := 0; j < len(w); j++ {
			if c := w[j] | 0x20; (c < 'a' || c > 'z') && w[j] != '\'' && w[j] != '-' || j > 0 && w[j] >= 'A' && w[j] <= 'Z' {
				ok = false
				break
			}
		}
		if ok {
			plain++
		}
	}
	return 10*plain >= 7*len(words)
}
