package linetagtrain

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed templates.json
var templateFile []byte

// templates are groups of lines that programs print (code) and that people write in chats, mails, reports and notes (text). A name in
// braces stands for something that filler makes up; {msg} is a sentence of the corpus. Links are what people write
// between two pieces of code, and little more.
type templates struct {
	Code     [][]string `json:"code"`
	Terse    [][]string `json:"terse"`    // code that looks like prose where it stands alone
	Listings []string   `json:"listings"` // forms of lines that programs print many of
	People   [][]string `json:"people"`
	Markdown [][]string `json:"markdown"` // of the sources of Markdown pages, also text
	Links    []string   `json:"links"`
}

var printed = corpus.Embedded[*templates](templateFile)

// output is what a program might print: logs, build and test output, stack traces, listings, shell sessions. It names
// its sentences from the prose of the corpus, so that only the form tells it from text.
func (p *pool) output(r *rand.Rand) message {
	groups := printed().Code
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
	groups := printed().Markdown
	out := message{}
	for i, l := range m.lines {
		start := i == 0 && r.IntN(2) == 0
		between := i > 0 && m.labels[i] != corpus.Blank && m.labels[i-1] == corpus.Blank && m.label(i, -1) == corpus.Text && m.labels[i] == corpus.Text && r.IntN(5) == 0
		if start || between {
			for range 1 + r.IntN(2) {
				group := groups[r.IntN(len(groups))]
				for range 1 + r.IntN(2) {
					for _, t := range group {
						if t == "" {
							out.add("", corpus.Blank)
						} else {
							out.add(f.fill(t), corpus.Text)
						}
					}
				}
				out.add("", corpus.Blank)
			}
		}
		out.add(l, m.labels[i])
	}
	*m = out
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
		link := printed().Links[r.IntN(len(printed().Links))]
		if r.IntN(2) == 0 && len(p.leads) > 0 {
			at := p.leads[r.IntN(len(p.leads))]
			m.join(message{}, blanks[1])
			m.add(casual(strings.Split(p.documents[at[0]].Text, "\n")[at[1]], r), corpus.Text)
		} else if i > 0 || len(m.lines) == 0 || r.IntN(2) == 0 {
			m.join(message{}, blanks[1])
			m.add(casual(f.fill(link), r), corpus.Text)
		}
		alike := p.bySize[r.IntN(2)]
		if r.IntN(4) == 0 {
			m.join(p.terse(r), blanks[0])
			continue
		}
		if len(alike) == 0 || r.IntN(6) == 0 {
			m.join(p.output(r), blanks[0])
			continue
		}
		m.join(snippetMessage(&p.snippets[alike[r.IntN(len(alike))]]), blanks[0])
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
	groups := printed().People
	group := groups[r.IntN(len(groups))]
	f := p.newFiller(r)
	m := message{}
	spaced := r.IntN(3) == 0
	times := 1
	if len(group) < 3 || r.IntN(4) == 0 {
		times = 1 + r.IntN(6)
	}
	for range times {
		for _, l := range group {
			if l == "" {
				m.add("", corpus.Blank)
				continue
			}
			m.add(f.fill(l), corpus.Text)
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
	p      *pool
	r      *rand.Rand
	clock  int // seconds of the year
	words  []string
	nicks  []string
	months []string
	same   string // a name that stays: what the lines of one program begin with
	role   string
	tool   string // of a command that nobody knows
}

func (p *pool) newFiller(r *rand.Rand) *filler {
	f := &filler{p: p, r: r, clock: r.IntN(365 * 86400), months: strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")}
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

func (f *filler) fill(template string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			b.WriteString(template)
			return b.String()
		}
		end := strings.IndexByte(template[open:], '}')
		if end < 0 {
			b.WriteString(template)
			return b.String()
		}
		made := f.part(template[open+1 : open+end])
		if made == "" { // a brace of the template itself
			b.WriteString(template[:open+1])
			template = template[open+1:]
			continue
		}
		b.WriteString(template[:open])
		b.WriteString(made)
		template = template[open+end+1:]
	}
}

func (f *filler) pick(of ...string) string { return of[f.r.IntN(len(of))] }

// part is what stands for a name in a template; "" if the name is none.
func (f *filler) part(name string) string {
	r := f.r
	f.clock += r.IntN(3)
	month, day := f.clock/86400/31%12, f.clock/86400%28+1
	time := fmt.Sprintf("%02d:%02d:%02d", f.clock/3600%24, f.clock/60%60, f.clock%60)
	word := func() string { return strings.ToLower(f.words[r.IntN(len(f.words))]) }
	class := func() string {
		w := f.words[r.IntN(len(f.words))]
		return strings.ToUpper(w[:1]) + w[1:]
	}
	switch name {
	case "iso":
		return fmt.Sprintf("2024-%02d-%02d %s", month+1, day, time)
	case "isot":
		return fmt.Sprintf("2024-%02d-%02dT%s%s", month+1, day, time, f.pick("Z", ".123Z", "+02:00", ""))
	case "slash":
		return fmt.Sprintf("2024/%02d/%02d", month+1, day)
	case "apache":
		return fmt.Sprintf("%02d/%s/2024:%s +0000", day, f.months[month], time)
	case "syslog":
		return fmt.Sprintf("%s %2d %s", f.months[month], day, time)
	case "mmdd":
		return fmt.Sprintf("%02d%02d", month+1, day)
	case "mmdd2":
		return fmt.Sprintf("%02d-%02d", month+1, day)
	case "mon":
		return f.months[month]
	case "time":
		return time
	case "hm":
		return time[:5]
	case "ms":
		return fmt.Sprintf("%03d", r.IntN(1000))
	case "level":
		return f.pick("INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "WARNING", "NOTICE")
	case "lower":
		return f.pick("info", "warn", "error", "debug", "trace", "fatal", "warning", "notice")
	case "word":
		return word()
	case "class":
		return class()
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
		return word() + f.pick(".py", ".go", ".js", ".rs", ".c", ".cpp", ".rb", ".ts", ".java", ".txt", ".conf", ".php", ".cs")
	case "status":
		return f.pick("200", "404", "500", "302", "201", "304")
	case "hex":
		return fmt.Sprintf("%08x", r.Uint32())
	case "n":
		return fmt.Sprint(r.IntN(f.magnitude()))
	case "d":
		return fmt.Sprint(r.IntN(40))
	case "c":
		return string(rune('a' + r.IntN(26)))
	case "nick":
		return f.nicks[r.IntN(len(f.nicks))]
	case "verb":
		return f.pick("add", "apply", "attach", "build", "bump", "checkout", "clean", "clone", "commit", "config", "copy", "create", "delete",
			"deploy", "diff", "find", "get", "info", "init", "install", "link", "list", "load", "log", "login", "merge", "move", "open", "ps",
			"pull", "push", "read", "rebase", "reload", "remove", "reset", "restart", "revert", "run", "save", "search", "send", "set", "show",
			"start", "stash", "status", "stop", "switch", "sync", "test", "uninstall", "up", "update", "upgrade", "version", "view", "watch")
	case "cli":
		return f.pick("apt", "bash", "brew", "cargo", "conda", "curl", "docker", "git", "go", "helm", "kubectl", "make", "node", "npm", "pip", "ssh",
			"terraform", "tmux", "vim", "yarn")
	case "adj":
		return f.pick("annoying", "broken", "confusing", "cool", "down", "easy", "fast", "fine", "fun", "great", "hard", "nice", "slow", "stuck", "weird")
	case "adv":
		return f.pick("always", "hate to", "just", "mostly", "never", "rarely")
	case "msg":
		return f.sentence()
	}
	return ""
}

func (f *filler) magnitude() int { return []int{10, 1000, 100000, 10000000}[f.r.IntN(4)] }
