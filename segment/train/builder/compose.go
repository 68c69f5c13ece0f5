package builder

import (
	"math/rand/v2"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// kinds are the kinds of composed documents by the label of their code; that of all others is prose+code.
var kinds = map[string]string{
	"shell": "prose+shell", "console": "prose+shell", "powershell": "prose+shell", "batch": "prose+shell",
	"json": "prose+config", "yaml": "prose+config", "toml": "prose+config", "ini": "prose+config", "properties": "prose+config",
	"nginx": "prose+config", "apache": "prose+config", "caddyfile": "prose+config", "dockerfile": "prose+config", "hcl": "prose+config",
	"diff": "prose+diff",
	"log":  "prose+log", "stacktrace": "prose+log",
	"output": "prose+output", "csv": "prose+output", "http": "prose+output",
}

// compose makes documents of prose and code that do not belong together, one for each snippet in four of at most twenty
// lines. Documents of a repository are shared by few; these teach that any code can follow any words.
func compose(prose []corpus.Document, snippets []corpus.Snippet, rng *rand.Rand) []corpus.Document {
	var paragraphs []corpus.Document
	for _, d := range prose {
		if d.Kind == "pure-text" {
			paragraphs = append(paragraphs, d)
		}
	}
	if len(paragraphs) == 0 {
		return nil
	}
	var all []corpus.Document
	for _, s := range snippets {
		if rng.IntN(4) != 0 || strings.Count(s.Text, "\n") >= 20 {
			continue
		}
		words := paragraphs[rng.IntN(len(paragraphs))]
		d := corpus.Document{Kind: "prose+code", Source: s.Source, Prose: words.Source, Synthetic: true}
		if kind, ok := kinds[s.Lang]; ok {
			d.Kind = kind
		}
		before, after, _ := strings.Cut(words.Text, "\n\n")
		tight := rng.IntN(3) == 0
		all = append(all, record(d, func(lines *document) {
			lines.text(before)
			if !tight {
				lines.gap()
			}
			lines.code(s.Text, s.Lang)
			if after != "" && rng.IntN(2) == 0 {
				if !tight {
					lines.gap()
				}
				lines.text(after)
			}
		}))
	}
	return all
}
