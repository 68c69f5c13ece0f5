// Package langidtrain trains the model that names languages: it chooses the features of package langid that tell them apart, fits
// their weights and the layer behind them, and sets the temperatures by snippets of repositories that were held back.
package langidtrain

import (
	"log"
	"math"
	"runtime"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

// Options of the training of a model that ships.
type Options struct {
	Corpus                  *corpus.Corpus
	Log                     *log.Logger
	Seed                    uint64
	Features                int     // number of features to keep
	Hidden                  int     // units of the hidden layer
	Windows                 int     // cut out of each example; features are chosen with one
	Fits                    int     // fits from one start, each with examples in another order, whose parameters are averaged
	WordRepos, FeatureRepos int     // that a common word and a candidate need
	FirstPasses, Passes     float64 // to choose the features, and of each fit
}

// Defaults are the settings that the embedded model was trained with, but for Corpus and Log.
func Defaults() Options {
	return Options{Seed: 1, Features: 135_000, Hidden: 64, Windows: 5, Fits: 3, WordRepos: 8, FeatureRepos: 10, FirstPasses: 0.3, Passes: 1}
}

// held is the part of the repositories, see [corpus.Fold], whose snippets and code blocks set the temperatures: the one with most
// of the labels that few repositories have.
const held = 1

// Train fits a model without a part of the repositories besides the one that ships, which is fitted on all: both in the same way,
// since a mean of several fits is surer than one. Which features have a row is decided once, on all: that does little for the
// part.
func Train(s Options) (*langid.Model, error) {
	labels := classification.AllLabels()
	labels.Names, labels.Families = append(labels.Names, langid.Unknown), append(labels.Families, len(labels.Names))
	data := corpus.Training{Corpus: s.Corpus}
	d, err := load(data, labels.Names)
	if err != nil {
		return nil, err
	}
	hash, licenses, err := data.Origin("snippets.train", "documents.train")
	if err != nil {
		return nil, err
	}
	p := s.prepare(d)
	var final, other *net
	var wait sync.WaitGroup
	wait.Go(func() { other = s.fit(p, held) })
	wait.Go(func() { final = s.fit(p, none) })
	wait.Wait()
	examples := other.score(d.whole(held))
	// Each half of the part is calibrated by the other one: so the calibration error is that on repositories that neither the
	// weights nor the temperatures come from.
	var halves [2][]scored
	for _, e := range examples {
		halves[e.repo%2] = append(halves[e.repo%2], e)
	}
	languages := len(labels.Names) - 1
	all := append(results(halves[0], languages, temperatures(halves[1])), results(halves[1], languages, temperatures(halves[0]))...)
	s.Log.Printf("repositories held out:\n%s", classification.Table(classification.Measure(labels, all)))
	return final.model(langid.Header{
		Labels: labels.Names, Corpus: hash, Synthetic: synthetic.LanguageHash(), Seed: s.Seed, Licenses: licenses,
		Temperatures: temperatures(examples),
	})
}

// prepared is what fits begin with.
type prepared struct {
	data             *Data // with windows
	common, features []uint32
	rows             [][]uint32
	slots            chan struct{} // as many fits run at the same time as there are processors: each fills the caches
}

// The weights of a window: where each example has one, and where it has [Options.Windows].
const (
	loneWindow = 0.3
	perWindow  = 0.1
)

// prepare selects vocabulary and features of d: it fits a net briefly on all candidates, to learn which of them matter.
func (s *Options) prepare(d *Data) *prepared {
	d = withoutPlaceholders(d)
	all := withWindows(d, s.Windows, s.Seed)
	d = withWindows(d, 1, s.Seed)
	common := commonWords(d, s.WordRepos)
	ex := langid.NewExtractor(common)
	features := candidates(d, ex, s.FeatureRepos)
	s.Log.Printf("%d examples, %d common words, %d candidate features", len(d.examples), len(common), len(features))
	n := newNet(len(d.Labels), 0, common, features, s.Seed)
	rows := gather(d.examples, ex, &n.vocab)
	fit(n, d, rows, fitOptions{passes: s.FirstPasses, windows: loneWindow, seed: s.Seed, without: none})
	features = strongest(n, d, rows, s.Features)
	index := langid.NewIndex(features)
	rows = gather(all.examples, ex, &index)
	s.Log.Printf("kept the %d strongest; %d examples", len(features), len(all.examples))
	return &prepared{all, common, features, rows, make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// fit fits nets without a fold, and returns the mean of them. They begin as one and the same, so their parameters can be
// averaged; what each learned from chance alone, from the order of its examples and from what was left out, cancels out.
func (s *Options) fit(p *prepared, without int) *net {
	nets := make([]*net, s.Fits)
	var wait sync.WaitGroup
	for i := range nets {
		wait.Go(func() {
			p.slots <- struct{}{}
			defer func() { <-p.slots }()
			nets[i] = newNet(len(p.data.Labels), s.Hidden, p.common, p.features, s.Seed)
			fit(nets[i], p.data, p.rows, fitOptions{passes: s.Passes, windows: perWindow, seed: s.Seed, run: uint64(i), without: without})
		})
	}
	wait.Wait()
	n := mean(nets)
	n.prior, n.short = priors(p.data)
	return n
}

// People write some languages far more often than others in messages, whatever the corpus has of them: short code of a label gets
// a prior that falls with the number of repositories whose documents show code of it, as far as fewer than usual do. The
// constants are those that are best on what is held out, for the twenty most common languages, for the labels that no document
// shows, and for all; with a prior that is the same for long code, files in the latter are taken for their neighbours.
const (
	usual  = 45
	seldom = 0.9 // exponent of the part of the usual number
	recent = 10  // number of a label that no document was labelled with
)

// untagged are the labels of what people paste most, and nobody gives a tag, so that nothing is known of their repositories, with
// what is added for short code: what programs print has as many forms as there are programs.
var untagged = map[string]float32{"log": 0, "stacktrace": 0, "csv": 0, "output": 1.75, langid.Unknown: -4}

// everywhere is what is added for code of any length. The constants are the best on what is held out, but for the first.
var everywhere = map[string]float32{
	// So that code in languages without a label seldom gets an answer. Less is added for short code, most of which is in a common
	// language. Of the pieces of twenty labels that a training went without, 47 % get an answer (55 with 4.5, short or not), and
	// of all others as many the right one.
	langid.Unknown: 7,
	// What programs print and people paste is more than the documents show.
	"output": 0.8, "console": 0.25, "log": 0.5,
	// Jinja is written in the same way and far more common, but has fewer synthetic pieces.
	"twig": -3.5,
	// Without an element it is TypeScript.
	"tsx": -1,
	// Pages in HTML are far more common.
	"astro": -1,
	// It is written as Python is.
	"mojo": -1,
}

// priors are what is added to the logits of each label, of all code and of short code.
func priors(d *Data) (all, short []float32) {
	repositories := make([]int, len(d.Labels))
	for u := range d.shown {
		repositories[u.label]++
	}
	all, short = make([]float32, len(d.Labels)), make([]float32, len(d.Labels))
	for i, n := range repositories {
		if !d.old[int32(i)] {
			n = recent
		}
		all[i] = everywhere[d.Labels[i]]
		if prior, ok := untagged[d.Labels[i]]; ok {
			short[i] = prior
		} else {
			short[i] = seldom * float32(math.Log(float64(min(max(n, 1), usual))/usual))
		}
	}
	return all, short
}
