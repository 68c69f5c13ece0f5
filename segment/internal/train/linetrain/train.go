// Package linetrain trains the model that labels lines as text or code.
package linetrain

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/eval/segmentation"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/lines"
)

// Options of a training run.
type Options struct {
	Corpus  string // folder
	Seed    uint64
	Epochs  int
	HoldOut bool    // keep a part of the repositories back and print the figures on their documents after each epoch
	Share   float64 // part of the training documents to use, for trials; 1 is all
	Log     io.Writer
	X       [8]float64
}

const (
	batchSize    = 16
	denseRate    = 2e-3
	tableRate    = 0.04
	dropout      = 0.15 // of content features
	snippetShare = 0.10 // messages that are nothing but a snippet, per document
)

// HeldOut tells whether a repository belongs to the part that is kept back for validation.
func HeldOut(repository string) bool {
	h := fnv.New32a()
	io.WriteString(h, "8"+repository) // a choice that leaves every kind of document on both sides
	return h.Sum32()%10 == 0
}

// Train fits a model. The same corpus and options give the same model on the same kind of processor.
func Train(o Options) (*lines.Model, error) {
	documents, err := corpus.Documents(o.Corpus, corpus.Train)
	if err != nil {
		return nil, err
	}
	snippets, err := corpus.Snippets(o.Corpus, corpus.Train)
	if err != nil {
		return nil, err
	}
	hash, err := corpus.Hash(o.Corpus, "documents.train.jsonl.gz", "snippets.train.jsonl.gz")
	if err != nil {
		return nil, err
	}
	var validation []corpus.Document
	if o.HoldOut {
		for i := range documents {
			if d := &documents[i]; HeldOut(d.Source) {
				validation = append(validation, *d)
			}
		}
		documents = slices.DeleteFunc(documents, func(d corpus.Document) bool { return HeldOut(d.Source) || HeldOut(d.Prose) })
		snippets = slices.DeleteFunc(snippets, func(s corpus.Snippet) bool { return HeldOut(s.Source) })
	}
	// A snippet of Markdown is prose or code as one likes.
	snippets = slices.DeleteFunc(snippets, func(s corpus.Snippet) bool {
		return s.Lang == "markdown" || s.Lang == "csv" && len(s.Text) < 20 || strings.TrimSpace(s.Text) == ""
	})
	masked := 0
	for i := range documents {
		masked += doubt(&documents[i])
	}
	fmt.Fprintf(o.Log, "%d lines of doubtful blocks are taken for unknown\n", masked)
	p := &pool{documents: documents, snippets: snippets}
	for i := range documents {
		if !slices.Contains(documents[i].Labels, corpus.Code) {
			p.prose = append(p.prose, i)
		}
	}
	fmt.Fprintf(o.Log, "%d documents, %d snippets to train on; %d documents held out\n", len(documents), len(snippets), len(validation))

	random := rand.New(rand.NewPCG(o.Seed, 1))
	table := make([]float32, lines.Rows*lines.Dim)
	dense := lines.NewDense()
	initialise(table, dense, random)
	opt := newOptimiser(table, dense)
	header := lines.Header{Corpus: hash, Seed: o.Seed, Epochs: o.Epochs, Licenses: licenses}

	order := make([]int, len(documents)+int(snippetShare*float64(len(documents))))
	for i := range order {
		order[i] = i
	}
	perEpoch := int(float64(len(order)) * o.Share)
	total := o.Epochs * perEpoch
	done := 0
	batch := make([]*example, 0, batchSize)
	pooled := make([]*example, batchSize)
	for i := range pooled {
		pooled[i] = &example{}
	}
	for epoch := range o.Epochs {
		begin := time.Now()
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		seen := 0
		for at := 0; at < perEpoch; at += batchSize {
			part := order[at:min(at+batchSize, perEpoch)]
			var wait sync.WaitGroup
			for s := range shards {
				wait.Go(func() {
					for i := s; i < len(part); i += shards {
						pooled[i].prepare(p, part[i], rand.New(rand.NewPCG(o.Seed+uint64(epoch)<<32, uint64(part[i])+1)), &o.X)
					}
				})
			}
			wait.Wait()
			batch = batch[:0]
			for i := range part {
				if len(pooled[i].labels) > 0 {
					batch = append(batch, pooled[i])
					seen += len(pooled[i].labels)
				}
			}
			progress := float64(done) / float64(total)
			rate := float32(0.5 * (1 + math.Cos(math.Pi*progress)))
			rate = max(rate, 0.01)
			loss += opt.step(batch, float32(o.X[3])*rate, float32(o.X[2])*rate)
			done += len(part)
		}
		fmt.Fprintf(o.Log, "epoch %d: loss %.5f per line, %d lines, %s\n", epoch+1, loss/float64(seen), seen, time.Since(begin).Round(time.Second))
		if o.HoldOut {
			if err := segmentation.Print(o.Log, Measure(lines.New(header, table, dense), validation).Figures()); err != nil {
				return nil, err
			}
		}
	}
	return lines.New(header, table, dense), nil
}

// Measure labels documents with a model and counts by kind.
func Measure(m *lines.Model, documents []corpus.Document) segmentation.Table {
	t := segmentation.Table{}
	var s lines.Scratch
	var ls []lines.Line
	var code []bool
	for i := range documents {
		d := &documents[i]
		ls = Split(ls[:0], d.Text)
		code = m.Label(&s, d.Text, ls, nil, code[:0])
		t.Slice(d.Kind).Add(d.Labels, code)
	}
	return t
}

// Split appends the lines of a text to ls.
func Split(ls []lines.Line, text string) []lines.Line {
	begin := 0
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == '\n' {
			ls = append(ls, lines.Line{Start: int32(begin), End: int32(i)})
			begin = i + 1
		}
	}
	return ls
}

// prepare makes the example of item number item: a document, or past the documents a snippet.
func (e *example) prepare(p *pool, item int, r *rand.Rand, x *[8]float64) {
	var m message
	if item < len(p.documents) {
		d := &p.documents[item]
		m = p.augment(newMessage(d.Text, d.Labels), r)
	} else {
		m = p.snippet(r)
		if r.IntN(2) == 0 {
			m = p.commented(r)
		}
		if r.IntN(3) == 0 {
			m = p.augment(m, r)
		}
	}
	text := strings.Join(m.lines, "\n")
	e.features.Extract(text, Split(nil, text), m.hints)
	e.labels = e.labels[:0]
	for _, i := range e.features.Index {
		e.labels = append(e.labels, truths[m.labels[i]])
	}
	e.weight = float32(1 / math.Sqrt(float64(len(e.labels))))
	thin(&e.features, r, x)
}

// truths of the labels of a message.
var truths = map[string]truth{corpus.Text: isText, corpus.Code: isCode, corpus.Blank: isUnknown, doubtful: isUnknown}

// thin drops content features at random, so that no line hangs on a single one.
func thin(f *lines.Features, r *rand.Rand, x *[8]float64) {
	dropout := float32(x[0])
	wordless := r.Float64() < x[1]
	kept := f.Rows[:0]
	begin := int32(0)
	for i := range f.Index {
		content, layout := f.Rows[begin:f.Hashed[i]], f.Rows[f.Hashed[i]:f.End[i]]
		begin = f.End[i]
		for _, row := range content {
			if (!wordless || row >= lines.WordRows) && r.Float32() >= dropout {
				kept = append(kept, row)
			}
		}
		f.Hashed[i] = int32(len(kept))
		kept = append(kept, layout...)
		f.End[i] = int32(len(kept))
	}
	f.Rows = kept
}

// licenses of the repositories of the training split, as the corpus's README lists them.
var licenses = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY", "CC0-1.0", "ISC", "MIT", "Unlicense", "Zlib"}
