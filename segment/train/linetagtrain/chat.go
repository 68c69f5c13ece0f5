package linetagtrain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// AsChat is a message that has text and code, with the labels of its lines, written as in a chat; see chat. False for any other
// message.
func AsChat(text string, labels []string) (chatText string, chatLabels []string, ok bool) {
	if !slices.Contains(labels, corpus.Text) || !slices.Contains(labels, corpus.Code) {
		return "", nil, false
	}
	m := newMessage(text, labels)
	m.chat(true)
	return strings.Join(m.lines, "\n"), m.labels, true
}

// chat writes the message as people do who paste code between their words: without blank lines between text and code, and
// without final marks and capitals in the lines of text next to code; if not small, those lines lose the first one only.
func (m *message) chat(small bool) {
	m.rewrite(func(out *message, i int, l string) {
		before, after := m.label(i, -1), m.label(i, 1)
		switch {
		case m.labels[i] == corpus.Blank && before != "" && after != "" && before != after:
			return
		case m.labels[i] == corpus.Text && (before == corpus.Code || after == corpus.Code):
			l = unmarked(l, small)
		}
		out.add(l, m.labels[i])
	})
}

// unmarked is a line of text that neither begins with a capital nor ends with a mark, and has no capitals at all if small.
func unmarked(l string, small bool) string {
	if short := strings.TrimRight(l, ".:,;!? "); strings.Trim(short, " \t>") != "" {
		l = short
	}
	if small {
		return strings.ToLower(l)
	}
	_, n := utf8.DecodeRuneInString(l)
	return strings.ToLower(l[:n]) + l[n:]
}

// chatter is a line of a chat, perhaps loud, or with whom it is for, an emoji or a link.
func (p *pool) chatter(r *rand.Rand) message {
	d := &p.documents[p.chats[r.IntN(len(p.chats))]]
	l := d.Text
	f := p.newFiller(r)
	switch r.IntN(12) {
	case 0:
		l = strings.ToUpper(l)
	case 1:
		l = strings.ToLower(l)
	case 2:
		l = f.fill("<@{n}{n}{n}> ") + l
	case 3:
		l += f.fill(f.pick(" <:{word}:{n}{n}>", " :{word}:", "<:{word}:{n}{n}>", " 😀", " 🎉🎉", " https://{host}{path}"))
	}
	return newMessage(l, d.Labels)
}
