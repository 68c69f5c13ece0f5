package langidtrain

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

// Options of the training of a model that ships.
type Options struct {
	Corpus                  *corpus.Corpus
	Additions               corpus.Additions // what is trained on besides the documents and snippets of train
	Seed                    uint64
	Features                int  // number of features to keep
	HoldOut                 bool // keep a fifth of the repositories out
	WordRepos, FeatureRepos int
	FirstEpochs             float64
	Fit                     FitOptions
	Log                     io.Writer
}

// Train fits two models at the same time, in the same way: one without a fifth
// of the repositories, whose snippets then set the temperatures, and the one
// that ships, on all.
func Train(s Options) (*langid.Model, error) {
	labels := classification.AllLabels()
	d, err := load(s.Corpus, s.Additions, labels.Names)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	log := func(format string, args ...any) {
		fmt.Fprintf(s.Log, "%6s  "+format+"\n", append([]any{time.Since(start).Round(time.Second)}, args...)...)
	}
	rest, held := d.hold()
	var trial, final *net
	var wg sync.WaitGroup
	wg.Go(func() { trial = s.fit(rest, log) })
	if !s.HoldOut {
		wg.Go(func() { final = s.fit(d, log) })
	}
	wg.Wait()
	if s.HoldOut {
		final = trial
	}
	examples := trial.score(held)
	temps := temperatures(examples)
	fmt.Fprintln(s.Log, "held out repositories, before calibration:")
	if err := classification.Print(s.Log, classification.Measure(labels, results(examples))); err != nil {
		return nil, err
	}
	hash, err := s.Additions.Hash(s.Corpus, "snippets.train.jsonl.gz", "documents.train.jsonl.gz")
	if err != nil {
		return nil, err
	}
	ours, err := synthetic.Hash()
	if err != nil {
		return nil, err
	}
	licenses, err := s.Additions.Licenses(s.Corpus)
	if err != nil {
		return nil, err
	}
	header := langid.Header{Labels: labels.Names, Corpus: hash, Synthetic: ours, Seed: s.Seed, Licenses: licenses, Temperatures: temps}
	return langid.New(header, final.common, final.features, final.weights(), final.B[:final.C])
}

// fit selects vocabulary and features of d and fits a net on them: first
// briefly on all candidates, to learn which features matter, then on those.
func (s *Options) fit(d *Data, log func(string, ...any)) *net {
	d = withWindows(d, s.Seed)
	common := commonWords(d, s.WordRepos)
	hashes := extract(d.examples, langid.NewExtractor(common))
	features := candidates(d, hashes, s.FeatureRepos)
	log("%d examples, %d common words, %d candidate features", d.Len(), len(common), len(features))
	o := s.Fit
	o.Seed = s.Seed
	first := o
	first.Epochs = s.FirstEpochs
	n := newNet(len(d.Labels), common, features)
	rows := hashes.rows(&n.vocab)
	hashes = nil
	fit(n, d, rows, first)
	features, place := strongest(n, d, rows, s.Features)
	rows = rows.keep(place)
	log("%d examples: fitting the %d strongest", d.Len(), len(features))
	n = newNet(len(d.Labels), common, features)
	fit(n, d, rows, o)
	for i, prior := range priors(d) {
		n.B[i] += prior
	}
	return n
}

// A label with fewer repositories in the corpus than usual is rare. The synthetic pieces teach the model what it looks
// like, but make it no more frequent: it gets a prior that falls with the number of its repositories.
const (
	usual  = 10
	seldom = 0.75 // exponent of the part of the usual number
)

// priors are what is added to the logits of each label.
func priors(d *Data) []float32 {
	out := make([]float32, len(d.Labels))
	for i, repos := range d.reposOfLabels() {
		out[i] = seldom * float32(math.Log(float64(min(max(repos, 1), usual))/usual))
	}
	return out
}

// results are the guesses without calibration.
func results(examples []scored) []classification.Result {
	var rs []classification.Result
	for _, e := range examples {
		p := slices.Clone(e.logits)
		langid.Softmax(p)
		r := classification.Result{Truth: int(e.label), Lines: e.lines}
		for i, v := range p {
			if v > p[r.Guess] {
				r.Guess = i
			}
		}
		r.Confidence = float64(p[r.Guess])
		rs = append(rs, r)
	}
	return rs
}

// score runs the net over d.
func (n *net) score(d *Data) []scored {
	rows := extract(d.examples, langid.NewExtractor(n.common)).rows(&n.vocab)
	type part struct{ label, repo int32 }
	counts := map[part]float64{}
	for i := range d.examples {
		counts[part{d.examples[i].label, d.examples[i].repo}]++
	}
	out := make([]scored, 0, len(d.examples))
	for i := range d.examples {
		e := &d.examples[i]
		bag := rows.at(i)
		z := make([]float32, n.D)
		n.forward(bag, z)
		out = append(out, scored{
			logits: z[:n.C], label: e.label, lines: len(e.lines),
			level:  math.Log2(float64(max(len(bag), 1))),
			weight: min(1, most/counts[part{e.label, e.repo}]),
		})
	}
	return out
}

// most is the number of snippets of one label that a repository counts for in
// calibration, so that no repository sets the temperatures alone.
const most = 40

// Defaults are the settings that the embedded model was trained with.
func Defaults() Options {
	return Options{
		Seed: 1, Features: 105_000, WordRepos: 8, FeatureRepos: 10, FirstEpochs: 0.5,
		Fit: FitOptions{Epochs: 3, Rate: 6, Dropout: 0.4, Robust: 0.35, Balance: 0.5, Average: 0.3, Blocks: 0.5, Windows: 0.3, Made: 0.6},
	}
}
