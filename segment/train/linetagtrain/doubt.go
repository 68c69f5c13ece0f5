package linetagtrain

import (
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

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
