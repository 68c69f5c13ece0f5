package langidtrain

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// syntheticWindows is how many windows are cut out of a synthetic piece: it shows more of its language in fewer lines.
const syntheticWindows = 8

// withWindows adds to the examples random windows of each that has several lines, count of them: of one line, of two to
// five, or of six to twenty.
func withWindows(d *Data, count int, seed uint64) *Data {
	rng := rand.New(rand.NewPCG(seed, 3))
	out := *d
	out.examples = make([]example, 0, (1+count)*len(d.examples))
	for i := range d.examples {
		e := d.examples[i]
		out.examples = append(out.examples, e)
		kind, count := window, count
		if e.kind == made {
			kind, count = made, syntheticWindows
		}
		for range count {
			text := cut(&e, rng)
			if !ofFormat(text, d.Labels[e.label]) || heredoc.MatchString(e.text) && !heredoc.MatchString(text) {
				continue
			}
			label := slices.Index(d.Labels, classification.ByElements(text, d.Labels[e.label])) // may be that of another language, or none
			if text != "" && label >= 0 {
				out.examples = append(out.examples, example{text: text, label: int32(label), repo: e.repo, kind: kind})
			}
		}
	}
	return &out
}

// own finds what shows that a line is of the format itself, in formats that hold commands: recipes, RUN, steps of workflows.
var own = map[string]*regexp.Regexp{
	"makefile":   regexp.MustCompile(`(?m)^[\w.%/$(){}-]+\s*(?:[:+?]?=|:(?:\s|$))|\$[(@<^{]|^\s*[@-]|^\s*(?:ifn?eq|ifn?def|else|endif|include|define|export)\b`),
	"dockerfile": regexp.MustCompile(`(?m)^\s*(?:[A-Z]{3,}\s|#)`),
	"yaml":       regexp.MustCompile(`(?m)^\s*(?:-(?:\s|$)|[^\s#:]+:(?:\s|$)|["'].*["']:|---|#)`),
}

// heredoc finds the beginning of a heredoc of a shell. What it holds is in another language: a window without the beginning is no
// shell.
var heredoc = regexp.MustCompile(`<<[-~]?\s*["'\\]?[A-Za-z_]\w*`)

// ofFormat reports whether a window of a file is of the file's language. The commands of a recipe alone are shell.
func ofFormat(window, label string) bool { return own[label] == nil || own[label].MatchString(window) }

// cut returns a random window of e, without its common indentation; nothing if e has one line only, or if a few tries gave
// no window with enough in it to tell a language.
func cut(e *example, rng *rand.Rand) string {
	lines := strings.Split(e.text, "\n")
	n := len(lines)
	if n < 2 {
		return ""
	}
	var k int
	switch rng.IntN(3) {
	case 0:
		k = 1
	case 1:
		k = 2 + rng.IntN(4)
	default:
		k = 6 + rng.IntN(15)
	}
	if k >= n {
		k = 1 + rng.IntN(n-1)
	}
	for range 4 {
		i := rng.IntN(n - k + 1)
		if w := corpus.Dedent(strings.Join(lines[i:i+k], "\n")); corpus.Informative(w) {
			return w
		}
	}
	return ""
}
