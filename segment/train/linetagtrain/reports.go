package linetagtrain

import (
	"math/rand/v2"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// report is a bug report or filled-in form: headings with short answers, facts, steps, prose, code or what a program
// printed below.
func (p *pool) report(r *rand.Rand) message {
	f := p.newFiller(r)
	style := f.pick(forms().Styles...)
	gap, below := r.IntN(3) > 0, r.IntN(3) > 0 // blank lines before headings, after them
	m := message{}
	if r.IntN(2) == 0 {
		m.join(p.brief(r), 0)
	}
	for range 2 + r.IntN(7) {
		if gap && len(m.lines) > 0 {
			m.add("", corpus.Blank)
		}
		if r.IntN(12) == 0 {
			style = f.pick(forms().Styles...)
		}
		heading := strings.ReplaceAll(style, "{h}", f.pick(forms().Headings...))
		if i := strings.LastIndexByte(style, ':'); i >= 0 && !below && r.IntN(2) == 0 {
			m.add(heading+" "+f.fill(f.pick(forms().Answers...)), corpus.Text) // the answer on the same line
			continue
		}
		m.add(heading, corpus.Text)
		blanks := 0
		if below {
			blanks = 1
		}
		m.join(p.answer(f, r), blanks)
	}
	if r.IntN(4) == 0 {
		m.join(p.brief(r), r.IntN(2))
	}
	return trimBlank(m)
}

// answer is what stands below a heading of a report.
func (p *pool) answer(f *filler, r *rand.Rand) message {
	m := message{}
	switch r.IntN(20) {
	case 0, 1, 2, 3, 4:
		m.add(f.fill(f.pick(forms().Answers...)), corpus.Text)
	case 5, 6, 7:
		f.facts(&m)
	case 8, 9:
		f.aside(&m)
	case 10:
		f.table(&m)
	case 11:
		mark := f.pick("{d}. ", "{d}) ", "- ", "* ", "# ", "• ", "")
		for i := range 2 + r.IntN(4) {
			number := string(rune('1' + i))
			m.add(strings.ReplaceAll(mark, "{d}", number)+f.sentence(), corpus.Text)
		}
	case 12, 13:
		m = p.output(r)
	case 14:
		m = p.terse(r)
	case 15, 16:
		m = p.snippet(r)
	default:
		m = p.brief(r)
	}
	return m
}

// facts adds lines of versions and settings, mostly in one form.
func (f *filler) facts(m *message) {
	form := f.pick(forms().Facts...)
	for range 1 + f.r.IntN(7) {
		if f.r.IntN(4) == 0 {
			form = f.pick(forms().Facts...)
		}
		m.add(f.fill(form), corpus.Text)
	}
}

func (f *filler) aside(m *message) {
	for range 1 + f.r.IntN(2) {
		m.add(f.fill(f.pick(forms().Asides...)), corpus.Text)
	}
}

func (f *filler) table(m *message) {
	tables := forms().Tables
	table := tables[f.r.IntN(len(tables))]
	for i, row := range table {
		m.add(f.fill(row), corpus.Text)
		for i == len(table)-1 && f.r.IntN(2) == 0 {
			m.add(f.fill(row), corpus.Text)
		}
	}
}

// digress puts facts, asides or a table between two paragraphs, or between text and code.
func digress(p *pool, m *message, r *rand.Rand) {
	at := 1 + r.IntN(len(m.lines))
	for at < len(m.lines) && (m.labels[at] != corpus.Blank || m.label(at, -1) == corpus.Code && m.label(at, 1) == corpus.Code) {
		at++
	}
	f := p.newFiller(r)
	between := message{}
	switch r.IntN(6) {
	case 0, 1:
		f.facts(&between)
	case 2:
		f.table(&between)
	default:
		f.aside(&between)
	}
	m.put(at, r.IntN(2), between)
}

// terse is a line or a few that programs print and people type, and that only their place tells from prose.
func (p *pool) terse(r *rand.Rand) message {
	if r.IntN(4) == 0 {
		return p.listing(r)
	}
	groups := forms().Terse
	group := groups[r.IntN(len(groups))]
	f := p.newFiller(r)
	m := message{}
	for i := range max(1, r.IntN(len(group)+2)) {
		f.line(&m, group[min(i, len(group)-1)], corpus.Code)
	}
	if m = trimBlank(m); !m.content() {
		return p.snippet(r)
	}
	return m
}

// listing is what a program prints of many things of a kind: a line each, all in one form.
func (p *pool) listing(r *rand.Rand) message {
	f := p.newFiller(r)
	form := f.pick("", "", "", "  ") + f.pick(forms().Listings...)
	m := message{}
	for range 3 + r.IntN(25) {
		m.add(f.fill(form), corpus.Code)
	}
	return m
}

// hurried writes the text as people do who leave out capitals and marks.
func hurried(_ *pool, m *message, r *rand.Rand) {
	marks := []string{".,;:!?'", ".,;'", ".", ",.'\""}[r.IntN(4)]
	small := r.IntN(3) > 0
	m.each(corpus.Text, func(l string) string {
		short := strings.Map(func(c rune) rune {
			if strings.ContainsRune(marks, c) {
				return -1
			}
			return c
		}, l)
		if small {
			short = strings.ToLower(short)
		}
		if strings.Trim(short, " \t>") == "" {
			return l
		}
		return short
	})
}

// piece is one to three lines of a message, all text or all code.
func (p *pool) piece(r *rand.Rand) message {
	want := []string{corpus.Text, corpus.Code}[r.IntN(2)]
	for range 50 {
		from := p.document(r)
		at := r.IntN(len(from.lines))
		m := message{}
		for n := 1 + r.IntN(3); n > 0 && at < len(from.lines) && from.labels[at] == want; n-- {
			m.add(from.lines[at], want)
			at++
		}
		if len(m.lines) > 0 {
			return m
		}
	}
	return p.brief(r)
}
