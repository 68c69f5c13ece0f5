// Package langidtrain trains the model that names languages: it chooses the features of package langid that tell them
// apart, fits their weights and the layer behind them, and sets the temperatures by snippets of repositories that were
// held back.
package langidtrain

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
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
	Seed                    uint64
	Features                int   // number of features to keep
	Windows                 int   // cut out of each example; features are chosen with one
	Fits                    int   // fits from one start, each with examples in another order, whose parameters are averaged
	Folds                   []int // parts of the repositories that are held back in turn, see corpus.Fold
	WordRepos, FeatureRepos int
	FirstEpochs             float64
	Fit                     FitOptions
	Log                     io.Writer
}

// Train fits a model without each of the folds, in the same way as the one that ships, which is fitted on all. The snippets
// of the folds set the temperatures. Which features have a row is decided once, on all: that does little for the folds.
func Train(s Options) (*langid.Model, error) {
	labels := classification.AllLabels()
	data := corpus.Training{Corpus: s.Corpus}
	d, err := load(data, labels.Names)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	log := func(format string, args ...any) {
		fmt.Fprintf(s.Log, "%6s  "+format+"\n", append([]any{time.Since(start).Round(time.Second)}, args...)...)
	}
	p := s.prepare(d, log)
	var final *net
	held := make([][]scored, len(s.Folds))
	var wait sync.WaitGroup
	for i, fold := range s.Folds {
		wait.Go(func() { held[i] = s.fit(p, fold).score(d.snippets(fold), 1-s.Fit.Dropout) })
	}
	wait.Go(func() { final = s.fit(p, none) })
	wait.Wait()
	log("done")
	if err := s.report(labels, held); err != nil {
		return nil, err
	}
	hash, err := data.Hash("snippets.train.jsonl.gz", "documents.train.jsonl.gz")
	if err != nil {
		return nil, err
	}
	ours, err := synthetic.LanguageHash()
	if err != nil {
		return nil, err
	}
	licenses, err := data.Licenses()
	if err != nil {
		return nil, err
	}
	header := langid.Header{
		Labels: labels.Names, Corpus: hash, Synthetic: ours, Seed: s.Seed, Licenses: licenses,
		Temperatures: temperatures(slices.Concat(held...)),
	}
	return final.model(header, 1-s.Fit.Dropout)
}

// report prints the figures on what was held out. Each fold is calibrated by the others: so the
// calibration error is that on repositories that neither the weights nor the temperatures come from.
func (s *Options) report(labels *classification.Labels, held [][]scored) error {
	var all []classification.Result
	for i, fold := range held {
		var others []scored
		for j := range held {
			if j != i {
				others = append(others, held[j]...)
			}
		}
		rs := results(fold, temperatures(others))
		all = append(all, rs...)
		fmt.Fprintf(s.Log, "repositories held out, part %d:\n", i+1)
		if err := classification.Print(s.Log, classification.Measure(labels, rs)); err != nil {
			return err
		}
	}
	fmt.Fprintln(s.Log, "all repositories held out:")
	if err := classification.Print(s.Log, classification.Measure(labels, all)); err != nil {
		return err
	}
	return classification.PrintThresholds(s.Log, labels, all)
}

// prepared is what fits begin with.
type prepared struct {
	data             *Data // with windows
	common, features []uint32
	rows             [][]uint32
	slots            chan struct{} // as many fits run at the same time as there are processors: each fills the caches
}

// loneWindow is the weight of a window where each example has one.
const loneWindow = 0.3

// prepare selects vocabulary and features of d: it fits a net briefly on all candidates, to learn which of them matter.
func (s *Options) prepare(d *Data, log func(string, ...any)) *prepared {
	d = withoutPlaceholders(d)
	all := withWindows(d, s.Windows, s.Seed)
	d = withWindows(d, 1, s.Seed)
	common := commonWords(d, s.WordRepos)
	ex := langid.NewExtractor(common)
	features := candidates(d, ex, s.FeatureRepos)
	log("%d examples, %d common words, %d candidate features", d.Len(), len(common), len(features))
	first := s.Fit
	first.Seed, first.Epochs, first.Hidden, first.Without, first.Windows = s.Seed, s.FirstEpochs, 0, none, loneWindow
	n := newNet(len(d.Labels), 0, common, features, s.Seed)
	rows := gather(d.examples, ex, &n.vocab)
	fit(n, d, rows, first)
	features = strongest(n, d, rows, s.Features)
	index := langid.NewIndex(features)
	rows = gather(all.examples, ex, &index)
	log("kept the %d strongest; %d examples", len(features), all.Len())
	return &prepared{all, common, features, rows, make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// fit fits nets without a fold, and returns the mean of them. They begin as one and the same, so their parameters can be
// averaged; what each learned from chance alone, from the order of its examples and from what was left out, cancels out.
func (s *Options) fit(p *prepared, without int) *net {
	o := s.Fit
	o.Seed, o.Without = s.Seed, without
	nets := make([]*net, s.Fits)
	var wait sync.WaitGroup
	for i := range nets {
		wait.Go(func() {
			p.slots <- struct{}{}
			defer func() { <-p.slots }()
			nets[i] = newNet(len(p.data.Labels), o.Hidden, p.common, p.features, s.Seed)
			o := o
			o.Run = i
			fit(nets[i], p.data, p.rows, o)
		})
	}
	wait.Wait()
	n := mean(nets)
	n.prior = priors(p.data)
	return n
}

// People write some languages far more often than others in messages, whatever the corpus has of them: a label gets a prior
// that falls with the number of repositories whose documents show code of it, as far as fewer than usual do. The constants
// are those that are best on what is held out, for the twenty most common languages and for all.
const (
	usual  = 30
	seldom = 0.4 // exponent of the part of the usual number
)

// untagged are the labels of what people paste most, and nobody gives a tag: nothing is known of their repositories.
var untagged = map[string]bool{"log": true, "stacktrace": true, "output": true, "csv": true}

// priors are what is added to the logits of each label.
func priors(d *Data) []float32 {
	out := make([]float32, len(d.Labels))
	for i := range out {
		shown := usual
		if d.users != nil && !untagged[d.Labels[i]] {
			shown = len(d.users[i])
		}
		out[i] = seldom * float32(math.Log(float64(min(max(shown, 1), usual))/usual))
	}
	return out
}

// results are the guesses with the probabilities that temperatures give.
func results(examples []scored, temps []float32) []classification.Result {
	var rs []classification.Result
	for i := range examples {
		e := &examples[i]
		p := slices.Clone(e.logits)
		t := float32(e.temperature(temps))
		for j := range p {
			p[j] /= t
		}
		langid.Softmax(p)
		r := classification.Result{Truth: int(e.label), Lines: e.lines}
		for j, v := range p {
			if v > p[r.Guess] {
				r.Guess = j
			}
		}
		r.Confidence = float64(p[r.Guess])
		rs = append(rs, r)
	}
	return rs
}

// score runs the net over d. share is the part of the features that training saw.
func (n *net) score(d *Data, share float64) []scored {
	x := make([]float32, n.D)
	rows := gather(d.examples, langid.NewExtractor(n.common), &n.vocab)
	type part struct{ label, repo int32 }
	counts := map[part]float64{}
	for i := range d.examples {
		counts[part{d.examples[i].label, d.examples[i].repo}]++
	}
	out := make([]scored, 0, len(d.examples))
	for i := range d.examples {
		e := &d.examples[i]
		bag := rows[i]
		z := make([]float32, n.D)
		n.forward(bag, z, x, share)
		axpy(z[:n.C], n.prior, 1)
		out = append(out, scored{
			logits: z[:n.C], label: e.label, repo: e.repo, lines: strings.Count(e.text, "\n") + 1,
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
		Seed: 1, Features: 105_000, Windows: 5, Fits: 3, Folds: []int{0, 1}, WordRepos: 8, FeatureRepos: 10, FirstEpochs: 0.5,
		Fit: FitOptions{
			Epochs: 1, Rate: 6, Dropout: 0.4, Robust: 0.35, Balance: 0.5, Repos: 0.3, Average: 0.3, Blocks: 0.5, Windows: 0.1, Made: 0.6,
			Hidden: 64, Head: 0.05,
		},
	}
}
