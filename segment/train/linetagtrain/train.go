// Package linetagtrain trains the model that labels lines as text or code: the parameters of package linetag, by the likelihood
// of its conditional random field (see crf), with gradients derived by hand and checked by a test. The documents are varied in
// each pass (see augment); the model gets the lines and hints that the segmenter gives it (see structure).
package linetagtrain

import (
	"log"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

// Options of a training run.
type Options struct {
	Corpus    *corpus.Corpus
	Seed      uint64
	Epochs    int         // passes over the documents
	Synthetic int         // how often a pass sees each message that was written for training
	Without   int         // the part of the sources that is held back, see corpus.Fold; None for none
	Log       *log.Logger // gets the loss of each pass
}

// None is the part of the sources that has none.
const None = -1

// Defaults are the options that the embedded model is trained with, but for Corpus and Log.
func Defaults() Options { return Options{Seed: 1, Epochs: 8, Synthetic: 2, Without: None} }

const (
	networks   = 2 // trained at the same time
	batchSize  = 16
	shortShare = 0.30 // messages that are a snippet or a few lines of text, per document
	snapshots  = 10   // of the parameters per pass, for their average

	tabbedPasses = 4    // how often tables with tabs, of which there are few, are among the snippets
	denseRate    = 2e-3 // learning rate of the dense parameters; both fall to floor times their value along a cosine
	tableRate    = 0.04 // learning rate of the embedding table
	floor        = 0.1
	dropout      = 0.3 // part of the content features that is dropped
	wordless     = 0.1 // part of the documents that lose all features of words and keep those of shapes
	averaged     = 2   // passes at the end whose parameters are averaged
)

// Train fits a model. The same corpus and options give the same model on the same kind of processor.
func Train(o Options) (*linetag.Model, error) {
	data := corpus.Training{Corpus: o.Corpus, Messages: true}
	hash, licenses, err := data.Origin("documents.train", "snippets.train")
	if err != nil {
		return nil, err
	}
	p, err := load(data, o.Synthetic, o.Without)
	if err != nil {
		return nil, err
	}
	o.Log.Printf("%d documents, %d snippets to train on", len(p.documents), len(p.snippets))
	var fitted [networks]linetag.Parameters
	var wait sync.WaitGroup
	for i := range fitted {
		wait.Go(func() { fitted[i] = p.fit(&o, i) })
	}
	wait.Wait()
	header := linetag.Header{Seed: o.Seed, Epochs: o.Epochs, Corpus: hash, Synthetic: synthetic.Hash(), Licenses: licenses}
	return linetag.New(header, fitted[:]...), nil
}

// load reads what a pass sees: documents, messages that people sent, and those that were written for training, the last times
// each; nothing of the sources in the part without.
func load(data corpus.Training, times, without int) (*pool, error) {
	documents, err := data.Documents()
	if err != nil {
		return nil, err
	}
	snippets, err := data.Snippets()
	if err != nil {
		return nil, err
	}
	documents = slices.DeleteFunc(documents, func(d corpus.Document) bool { return d.Fold() == without })
	snippets = slices.DeleteFunc(snippets, func(s corpus.Snippet) bool { return corpus.Fold(s.Source) == without })
	for _, d := range slices.Clone(documents) { // what people sent, twice in a pass
		if d.WasSent() {
			documents = append(documents, d)
		}
	}
	for range times {
		documents = append(documents, synthetic.Documents()...)
	}
	if times > 0 {
		snippets = append(snippets, synthetic.Snippets()...)
	}
	// A snippet of Markdown is prose or code as one likes.
	snippets = slices.DeleteFunc(snippets, func(s corpus.Snippet) bool {
		return s.Lang == "markdown" || s.Lang == "csv" && len(s.Text) < 20 || strings.TrimSpace(s.Text) == ""
	})
	for _, s := range slices.Clone(snippets) {
		if text, ok := s.Tabbed(); ok {
			s.Text = text
			snippets = append(snippets, slices.Repeat([]corpus.Snippet{s}, tabbedPasses)...)
		}
	}
	for i := range documents {
		doubt(&documents[i])
	}
	return newPool(documents, snippets), nil
}

// fit trains one of the networks.
func (p *pool) fit(o *Options, number int) linetag.Parameters {
	seed := o.Seed + uint64(number)<<56
	random := rand.New(rand.NewPCG(seed, 1))
	last := linetag.Parameters{Table: make([]float32, linetag.Rows*linetag.Dim), Dense: linetag.NewDense()}
	initialise(last.Table, last.Dense, random)
	opt := newOptimiser(last.Table, last.Dense, runtime.GOMAXPROCS(0)/networks)
	average := mean{Parameters: linetag.Parameters{Table: make([]float32, linetag.Rows*linetag.Dim), Dense: linetag.NewDense()}}

	order := make([]int, len(p.documents)+int(shortShare*float64(len(p.documents))))
	for i := range order {
		order[i] = i
	}
	total, done := o.Epochs*len(order), 0
	pooled := make([]example, batchSize)
	every := max(1, len(order)/batchSize/snapshots) // steps between two snapshots
	for epoch := range o.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		seen := 0
		for at := 0; at < len(order); at += batchSize {
			part := order[at:min(at+batchSize, len(order))]
			inShards(len(part), func(_, i int) {
				pooled[i].prepare(p, number, part[i], rand.New(rand.NewPCG(seed+uint64(epoch)<<32, uint64(part[i])+1)))
			})
			var batch []*example
			for i := range part {
				if n := len(pooled[i].labels); n > 0 {
					batch = append(batch, &pooled[i])
					seen += n
				}
			}
			rate := float32(0.5 * (1 + math.Cos(math.Pi*float64(done)/float64(total))))
			rate = max(rate, float32(floor))
			loss += opt.step(batch, float32(denseRate)*rate, float32(tableRate)*rate)
			done += len(part)
			if left := float64(total-done) / float64(len(order)); left < averaged && at/batchSize%every == 0 {
				average.add(last)
			}
		}
		o.Log.Printf("network %d, pass %d: loss %.5f per line, %d lines", number+1, epoch+1, loss/float64(seen), seen)
	}
	return average.Parameters
}

// prepare makes the example of item number item for one of the networks: a document, or past the documents something short.
func (e *example) prepare(p *pool, network, item int, r *rand.Rand) {
	var m message
	if item < len(p.documents) {
		d := &p.documents[item]
		m = newMessage(d.Text, d.Labels)
		p.augment(&m, r)
	} else {
		m = p.short(r)
		if r.IntN(3) == 0 {
			p.augment(&m, r)
		}
	}
	text := strings.Join(m.lines, "\n")
	// Half of the time the model learns to do without markup's help.
	e.asked.parse(text, m.fenced, r.IntN(2) == 0)
	e.features.Extract(text, e.asked.lines, e.asked.hints)
	e.labels = e.labels[:0]
	for i, at := range e.features.Index {
		truth := truths[m.labels[e.asked.number[at]]]
		if e.features.Hint[i] == linetag.Code && truth == isText || e.features.Hint[i] == linetag.Text && truth == isCode {
			truth = isUnknown // markup decides against the corpus; nothing is to be learnt from that
		}
		e.labels = append(e.labels, truth)
	}
	if len(e.labels) == 0 {
		return
	}
	e.weight = float32(1 / math.Sqrt(float64(len(e.labels))))
	thin(&e.features, r, dropout, wordless)
	e.rows = e.features.Place(e.rows[:0], network)
	e.drop(r)
}

// short is a message of a few lines, or of a kind that the corpus has few of.
func (p *pool) short(r *rand.Rand) message {
	switch kind := r.IntN(60); {
	case kind < 6:
		return p.report(r)
	case kind < 17:
		return p.piece(r)
	case kind < 27:
		return p.brief(r)
	case kind < 30:
		return p.written(r)
	case kind < 38:
		return p.commented(r)
	case kind < 40:
		return p.output(r)
	case kind < 43:
		return p.links(r)
	case kind < 47 && len(p.chats) > 0:
		return p.chatter(r)
	case kind < 55 && len(p.bySize[0]) > 0:
		return snippetMessage(p.bySize[0][r.IntN(len(p.bySize[0]))])
	default:
		return p.snippet(r)
	}
}

// truths of the labels of a message.
var truths = map[string]truth{corpus.Text: isText, corpus.Code: isCode, corpus.Blank: isUnknown, doubtful: isUnknown}

// thin drops content features at random, so that no line hangs on a single one.
func thin(f *linetag.Features, r *rand.Rand, dropout, wordless float64) {
	shapes := r.Float64() < wordless
	kept := f.Found[:0]
	begin := int32(0)
	for i := range f.Index {
		content, layout := f.Found[begin:f.Hashed[i]], f.Found[f.Hashed[i]:f.End[i]]
		begin = f.End[i]
		for _, hash := range content {
			if (!shapes || hash&linetag.OfShape != 0) && r.Float64() >= dropout {
				kept = append(kept, hash)
			}
		}
		f.Hashed[i] = int32(len(kept))
		kept = append(kept, layout...)
		f.End[i] = int32(len(kept))
	}
	f.Found = kept
}
