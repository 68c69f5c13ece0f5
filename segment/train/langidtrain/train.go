// Package langidtrain trains the model that names languages: it chooses the features of package langid that tell them
// apart, fits their weights and the layer behind them, and sets the temperatures by snippets of repositories that were
// held back.
package langidtrain

import (
	"log"
	"math"
	"runtime"
	"slices"
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
	HeldFits                int     // the same without a part of the repositories
	WordRepos, FeatureRepos int     // that a common word and a candidate need
	FirstPasses, Passes     float64 // to choose the features, and of each fit
}

// Defaults are the settings that the embedded model was trained with, but for Corpus and Log.
func Defaults() Options {
	return Options{Seed: 1, Features: 135_000, Hidden: 64, Windows: 5, Fits: 3, HeldFits: 1, WordRepos: 8, FeatureRepos: 10, FirstPasses: 0.3, Passes: 1}
}

// Train fits a model without each of two parts of the repositories, see [corpus.Fold], besides the one that ships, which is
// fitted on all. The snippets of the parts set the temperatures. Which features have a row is decided once, on all: that does
// little for the parts.
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
	var final *net
	var held [2][]scored
	var wait sync.WaitGroup
	for fold := range held {
		wait.Go(func() { held[fold] = s.fit(p, fold, s.HeldFits).score(d.snippets(fold)) })
	}
	wait.Go(func() { final = s.fit(p, none, s.Fits) })
	wait.Wait()
	// Each part is calibrated by the other one: so the calibration error is that on repositories that neither the weights
	// nor the temperatures come from.
	languages := len(labels.Names) - 1
	all := append(results(held[0], languages, temperatures(held[1])), results(held[1], languages, temperatures(held[0]))...)
	s.Log.Printf("repositories held out:\n%s", classification.Table(classification.Measure(labels, all)))
	return final.model(langid.Header{
		Labels: labels.Names, Corpus: hash, Synthetic: synthetic.LanguageHash(), Seed: s.Seed, Licenses: licenses,
		Temperatures: temperatures(slices.Concat(held[0], held[1])),
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
func (s *Options) fit(p *prepared, without, fits int) *net {
	nets := make([]*net, fits)
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
	recent = 1   // number of a label that no document was labelled with
)

// untagged are the labels of what people paste most, and nobody gives a tag, so that nothing is known of their repositories, with
// what is added for short code: what programs print has as many forms as there are programs. Of its single lines that are held
// out 70 % are found without that and 73 % with it, of all others 0.1 % less.
var untagged = map[string]float32{"log": 0, "stacktrace": 0, "csv": 0, "output": 1.75}

// everywhere is what is added for code of any length.
var everywhere = map[string]float32{
	// So that code in languages without a label seldom gets an answer.
	langid.Unknown: 4.5,
	// What programs print and people paste is more than the documents show: of what is held out, 0.5 to 0.9 % more is found in its own
	// label or one of the four, and 0.1 % less of all other.
	"output": 0.4,
	// What a heredoc holds is often in another language.
	"shell": 0.2,
	// A command and pages of what it printed are a session.
	"console": 1.05,
	// It is written as Jinja is, which is far more common, and has few repositories, but many synthetic pieces.
	"twig": -2,
	// Without an element it is TypeScript.
	"tsx": -0.8,
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
		} else if d.Labels[i] != langid.Unknown {
			short[i] = seldom * float32(math.Log(float64(min(max(n, 1), usual))/usual))
		}
	}
	return all, short
}
