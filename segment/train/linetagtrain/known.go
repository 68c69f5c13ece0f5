package linetagtrain

import (
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// leastSources is how many sources have what the networks know.
const leastSources = 8

// known are the features that enough sources have: repositories, and people, of whom each message that was sent stands for one.
func known(documents []corpus.Document, snippets []corpus.Snippet) linetag.Known {
	texts := map[string][]string{}
	for i := range documents {
		source := documents[i].Source
		if documents[i].WasSent() {
			source = documents[i].Text
		}
		texts[source] = append(texts[source], documents[i].Text)
	}
	for i := range snippets {
		texts[snippets[i].Source] = append(texts[snippets[i].Source], snippets[i].Text)
	}
	var s structure
	var f linetag.Features
	sources := map[uint32]struct{ count, last int32 }{}
	number := int32(0)
	for _, texts := range texts {
		number++
		for _, text := range texts {
			s.parse(text, nil, false)
			f.Extract(text, s.lines, nil)
			begin := int32(0)
			for i, end := range f.Hashed {
				for _, hash := range f.Found[begin:end] {
					if of := sources[hash]; of.last != number {
						of.count, of.last = of.count+1, number
						sources[hash] = of
					}
				}
				begin = f.End[i]
			}
		}
	}
	return linetag.NewKnown(func(yield func(uint32) bool) {
		for hash, of := range sources {
			if of.count >= leastSources && !yield(hash) {
				return
			}
		}
	})
}
