package linetagtrain

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed templates.json
var templateFile []byte

// templates are what messages are made of. In groups of lines that programs print (code) and that people write in chats, mails,
// reports and notes (text), a name in braces stands for something that filler makes up; {msg} is a sentence of the corpus.
type templates struct {
	Code     [][]string          `json:"code"`
	Terse    [][]string          `json:"terse"`    // code that looks like prose where it stands alone
	Listings []string            `json:"listings"` // forms of lines that programs print many of
	People   [][]string          `json:"people"`
	Markdown [][]string          `json:"markdown"` // of the sources of Markdown pages, also text
	Links    []string            `json:"links"`    // what people write between two pieces of code, and little more
	Names    map[string][]string `json:"names"`    // what some names stand for

	// Bug reports and forms of issue trackers, all text; {h} in a style stands for a heading.
	Headings []string   `json:"headings"`
	Styles   []string   `json:"styles"`
	Answers  []string   `json:"answers"` // short answers to the question of a form
	Facts    []string   `json:"facts"`   // lines of versions, settings and the like
	Asides   []string   `json:"asides"`  // lone links, images, mentions, connectives, markup of trackers
	Tables   [][]string `json:"tables"`

	// How comments are written.
	Signs      []string               `json:"signs"`    // what a line of comment may begin with, in any language
	Comments   map[string][][3]string `json:"comments"` // ways of a family: line before the comment, prefix of its lines, line after it
	CommentsOf map[string]string      `json:"commentsOf"`

	Scripts []string `json:"scripts"` // the first and the last of ranges of letters that disguise draws from
}

var forms = corpus.Embedded[*templates](templateFile)

// output is what a program might print: logs, build and test output, stack traces, listings, shell sessions. It names
// its sentences from the prose of the corpus, so that only the form tells it from text.
func (p *pool) output(r *rand.Rand) message {
	groups := forms().Code
	group := groups[r.IntN(len(groups))]
	f := p.newFiller(r)
	m := message{}
	n := 1 + r.IntN(10)
	inOrder := r.IntN(2) == 0 // many groups are in the order in which programs print them
	for i := range n {
		l := group[r.IntN(len(group))]
		if inOrder {
			l = group[min(i, len(group)-1)]
		}
		l = f.fill(l)
		if strings.TrimSpace(l) == "" {
			if i > 0 && i+1 < n {
				m.add("", corpus.Blank)
			}
			continue
		}
		m.add(l, corpus.Code)
	}
	if !m.content() {
		return p.snippet(r)
	}
	return trimBlank(m)
}

// source puts what the sources of Markdown pages have besides prose before a message and between its paragraphs: badges
// and other HTML, tables, front matter, directives. It is not code, little as it is prose.
func source(p *pool, m *message, r *rand.Rand) {
	f := p.newFiller(r)
	groups := forms().Markdown
	m.rewrite(func(out *message, i int, l string) {
		start := i == 0 && r.IntN(2) == 0
		between := i > 0 && m.labels[i] != corpus.Blank && m.labels[i-1] == corpus.Blank && m.label(i, -1) == corpus.Text && m.labels[i] == corpus.Text && r.IntN(5) == 0
		if start || between {
			for range 1 + r.IntN(2) {
				group := groups[r.IntN(len(groups))]
				for range 1 + r.IntN(2) {
					for _, t := range group {
						f.line(out, t, corpus.Text)
					}
				}
				out.add("", corpus.Blank)
			}
		}
		out.add(l, m.labels[i])
	})
}

// links is a message of pieces of code with little text before and between them, as in questions and quick answers.
func (p *pool) links(r *rand.Rand) message {
	f := p.newFiller(r)
	m := message{}
	if r.IntN(2) == 0 {
		m = p.brief(r)
	}
	blanks := [2]int{r.IntN(2), r.IntN(2)}
	if r.IntN(2) == 0 {
		blanks = [2]int{1, 1}
	}
	for i := range 1 + r.IntN(4) {
		link := forms().Links[r.IntN(len(forms().Links))]
		if r.IntN(2) == 0 && len(p.leads) > 0 {
			lead := p.leads[r.IntN(len(p.leads))]
			m.join(message{}, blanks[1])
			m.add(casual(lead, r), corpus.Text)
		} else if i > 0 || len(m.lines) == 0 || r.IntN(2) == 0 {
			m.join(message{}, blanks[1])
			m.add(casual(f.fill(link), r), corpus.Text)
		}
		alike := p.bySize[r.IntN(2)]
		var code message
		switch {
		case r.IntN(4) == 0:
			code = p.terse(r)
		case len(alike) == 0 || r.IntN(6) == 0:
			code = p.output(r)
		default:
			code = snippetMessage(alike[r.IntN(len(alike))])
		}
		m.join(code, blanks[0])
	}
	if r.IntN(2) == 0 {
		m.join(p.brief(r), blanks[1])
	}
	return trimBlank(m)
}

// casual writes a line as people in a hurry do: small letters, no mark at the end; or leaves it.
func casual(l string, r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return l
	}
	if len(l) > 1 && l[0] >= 'A' && l[0] <= 'Z' && l[1] >= 'a' && l[1] <= 'z' {
		l = string(l[0]|0x20) + l[1:]
	}
	if short := strings.TrimRight(l, ".:,"); short != "" && r.IntN(2) == 0 {
		l = short
	}
	return l
}

// written is what people write that is not flowing prose: conversations, facts, lists, signatures. All is text.
func (p *pool) written(r *rand.Rand) message {
	groups := forms().People
	group := groups[r.IntN(len(groups))]
	f := p.newFiller(r)
	m := message{}
	spaced := r.IntN(3) == 0
	times := 1
	if len(group) < 3 || r.IntN(4) == 0 {
		times = 1 + r.IntN(6)
	}
	for range times {
		for _, t := range group {
			f.line(&m, t, corpus.Text)
		}
		if spaced {
			m.add("", corpus.Blank)
		}
	}
	return trimBlank(m)
}

func trimBlank(m message) message {
	for len(m.lines) > 0 && m.labels[0] == corpus.Blank {
		m.lines, m.labels = m.lines[1:], m.labels[1:]
	}
	for n := len(m.lines); n > 0 && m.labels[n-1] == corpus.Blank; n = len(m.lines) {
		m.lines, m.labels = m.lines[:n-1], m.labels[:n-1]
	}
	return m
}

// filler makes up the parts of a template. What one program prints goes on in time and keeps its words.
type filler struct {
	p     *pool
	r     *rand.Rand
	clock int // seconds of the year
	words []string
	nicks []string
	same  string // a name that stays: what the lines of one program begin with
	role  string
	tool  string // of a command that nobody knows
}

func (p *pool) newFiller(r *rand.Rand) *filler {
	f := &filler{p: p, r: r, clock: r.IntN(365 * 86400)}
	// Words of some snippet, so that names are those of programs.
	code := p.snippets[r.IntN(len(p.snippets))].Text
	for _, w := range strings.FieldsFunc(code, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }) {
		if len(w) > 2 && len(w) < 14 {
			f.words = append(f.words, w)
		}
		if len(f.words) == 12 {
			break
		}
	}
	f.words = append(f.words, "server", "app", "main")
	for range 2 + r.IntN(3) {
		f.nicks = append(f.nicks, f.nick())
	}
	f.same, f.role, f.tool = f.part("word"), f.part("verb"), strings.ToLower(strings.Fields(f.nick())[0])
	if r.IntN(3) == 0 {
		f.tool = f.part("word")
	}
	return f
}

func (f *filler) nick() string {
	var b strings.Builder
	for i := range 3 + f.r.IntN(6) {
		letters := "bcdfghjklmnprstvwz"
		if i%2 == 1 {
			letters = "aeiou"
		}
		b.WriteByte(letters[f.r.IntN(len(letters))])
	}
	n := b.String()
	switch f.r.IntN(5) {
	case 0:
		return strings.ToUpper(n[:1]) + n[1:]
	case 1:
		return strings.ToUpper(n[:1]) + n[1:] + " " + strings.ToUpper(n[1:2]) + n[2:]
	case 2:
		return n + fmt.Sprint(f.r.IntN(100))
	}
	return n
}

// sentence is a short piece of prose.
func (f *filler) sentence() string {
	m := f.p.text(f.r)
	l := strings.TrimSpace(m.lines[f.r.IntN(len(m.lines))])
	words := strings.Fields(l)
	if len(words) == 0 {
		return "started"
	}
	most := 3 + f.r.IntN(12)
	if len(words) > most {
		words = words[:most]
	}
	return strings.Join(words, " ")
}

// fill makes up the parts of a template. What is in braces and no name stays as it is.
func (f *filler) fill(template string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			b.WriteString(template)
			return b.String()
		}
		b.WriteString(before)
		if made := f.part(name); made != "" {
			b.WriteString(made)
			template = after
		} else { // a brace of the template itself
			b.WriteByte('{')
			template = rest
		}
	}
}

// line adds the line of a template to m.
func (f *filler) line(m *message, template, label string) {
	if l := f.fill(template); strings.TrimSpace(l) == "" {
		m.add("", corpus.Blank)
	} else {
		m.add(l, label)
	}
}

func (f *filler) pick(of ...string) string { return of[f.r.IntN(len(of))] }

// times are the names that stand for the time, as layouts of package time.
var times = map[string]string{
	"iso": "2006-01-02 15:04:05", "isot": "2006-01-02T15:04:05", "slash": "2006/01/02", "apache": "02/Jan/2006:15:04:05 +0000",
	"syslog": "Jan _2 15:04:05", "mmdd": "0102", "mmdd2": "01-02", "mon": "Jan", "time": "15:04:05", "hm": "15:04",
}

// part is what stands for a name in a template; "" if the name is none.
func (f *filler) part(name string) string {
	r := f.r
	f.clock += r.IntN(3)
	if layout := times[name]; layout != "" {
		now := time.Date(2024, time.Month(f.clock/86400/31%12+1), f.clock/86400%28+1, 0, 0, f.clock%86400, 0, time.UTC).Format(layout)
		if name == "isot" {
			now += f.pick("Z", ".123Z", "+02:00", "")
		}
		return now
	}
	if list := forms().Names[name]; list != nil {
		return f.pick(list...)
	}
	word := func() string { return strings.ToLower(f.words[r.IntN(len(f.words))]) }
	switch name {
	case "ms":
		return fmt.Sprintf("%03d", r.IntN(1000))
	case "word":
		return word()
	case "class":
		w := f.words[r.IntN(len(f.words))]
		return strings.ToUpper(w[:1]) + w[1:]
	case "ident":
		return word() + f.pick(".", "_", "-") + word()
	case "pkg":
		return f.pick(word(), word()+"-"+word())
	case "same":
		return f.same
	case "role":
		return f.role
	case "tool":
		return f.tool
	case "ver":
		return fmt.Sprintf("%d.%d.%d", r.IntN(12), r.IntN(30), r.IntN(10))
	case "host":
		return f.pick("localhost", word()+".example.com", "ip-10-0-0-7", word()+"-prod-01", "github.com", "archive.ubuntu.com")
	case "ip":
		return fmt.Sprintf("%d.%d.%d.%d", r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256))
	case "path":
		return "/" + word() + "/" + word() + f.pick("", "/"+word(), "/lib/"+word())
	case "file":
		return word() + f.pick(forms().Names["suffix"]...)
	case "hex":
		return fmt.Sprintf("%08x", r.Uint32())
	case "n":
		return fmt.Sprint(r.IntN([]int{10, 1000, 100000, 10000000}[r.IntN(4)]))
	case "d":
		return fmt.Sprint(r.IntN(40))
	case "c":
		return string(rune('a' + r.IntN(26)))
	case "nick":
		return f.nicks[r.IntN(len(f.nicks))]
	case "msg":
		return f.sentence()
	}
	return ""
}
