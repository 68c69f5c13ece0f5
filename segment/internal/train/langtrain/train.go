package langtrain

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/lang"
)

// Settings of the training of a model that ships.
type Settings struct {
	Corpus                  string // folder
	Labels                  string // path of labels.json
	Seed                    uint64
	Rows                    int  // number of features to keep
	Hold                    bool // keep a fifth of the repositories out
	WordRepos, FeatureRepos int
	FirstEpochs             float64
	Options                 Options
	Log                     io.Writer
}

// holdFolds is the number of parts that the repositories are divided into, of
// which one is held out.
const holdFolds = 5

// ReadLabels reads the labels and their families from labels.json. The family
// of a label is the index of the family's first label.
func ReadLabels(path string) (labels []string, families []int, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var entries []struct{ Label, Family string }
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	first := map[string]int{}
	for i, e := range entries {
		family := i
		if e.Family != "" {
			if _, ok := first[e.Family]; !ok {
				first[e.Family] = i
			}
			family = first[e.Family]
		}
		labels = append(labels, e.Label)
		families = append(families, family)
	}
	return labels, families, nil
}

// Train fits a model: once on all candidate features to learn which matter,
// then on those that do; and beforehand the same without a fifth of the
// repositories, whose snippets then set the temperatures.
func Train(s Settings) (*lang.Model, error) {
	labels, families, err := ReadLabels(s.Labels)
	if err != nil {
		return nil, err
	}
	d, err := load(s.Corpus, corpus.Train, labels, true)
	if err != nil {
		return nil, err
	}
	d.Families = families
	start := time.Now()
	log := func(format string, args ...any) {
		fmt.Fprintf(s.Log, "%6s  "+format+"\n", append([]any{time.Since(start).Round(time.Second)}, args...)...)
	}
	rest, held := d.Hold(0, holdFolds)
	log("fitting on %d examples, to calibrate", rest.Len())
	n := s.fit(rest, log)
	rows := extract(held.examples, lang.NewExtractor(n.common)).rows(&n.vocab)
	temps := temperatures(n.score(held, rows))
	log("%s", score(n.classify(held, rows), held, "held out:"))
	if !s.Hold {
		log("fitting on %d examples", d.Len())
		n = s.fit(d, log)
	}
	hash, err := corpus.Hash(s.Corpus, "snippets.train.jsonl.gz", "documents.train.jsonl.gz")
	if err != nil {
		return nil, err
	}
	licenses, err := corpus.Licenses(s.Corpus, corpus.Train)
	if err != nil {
		return nil, err
	}
	header := lang.Header{Labels: labels, Corpus: hash, Seed: s.Seed, Licenses: licenses, Temperatures: temps}
	return lang.New(header, n.common, n.features, n.W, n.B)
}

// fit selects vocabulary and features of d and fits a net on them.
func (s *Settings) fit(d *Data, log func(string, ...any)) *net {
	d = withWindows(d, s.Seed)
	common := commonWords(d, s.WordRepos)
	hashes := extract(d.examples, lang.NewExtractor(common))
	features := candidates(d, hashes, s.FeatureRepos)
	log("%d common words, %d candidate features", len(common), len(features))
	o := s.Options
	o.Seed = s.Seed
	first := o
	first.Epochs, first.Hidden = s.FirstEpochs, 0
	n := newNet(len(d.Labels), common, features, 0, s.Seed)
	rows := hashes.rows(&n.vocab)
	fit(n, d, rows, first)
	features = strongest(n, d, rows, s.Rows)
	log("fitting the %d strongest", len(features))
	n = newNet(len(d.Labels), common, features, o.Hidden, s.Seed)
	fit(n, d, hashes.rows(&n.vocab), o)
	return n
}

// score runs the net over d, whose bags are rows.
func (n *net) score(d *Data, rows *bags) []scored {
	type part struct{ label, repo int32 }
	counts := map[part]float64{}
	for i := range d.examples {
		counts[part{d.examples[i].label, d.examples[i].repo}]++
	}
	h := make([]float32, n.H)
	out := make([]scored, 0, len(d.examples))
	for i := range d.examples {
		e := &d.examples[i]
		bag := rows.at(i)
		if len(bag) == 0 {
			continue
		}
		z := make([]float32, n.D)
		n.forward(bag, z, h)
		out = append(out, scored{z[:n.C], e.label, math.Log2(float64(len(bag))), math.Min(1, 40/counts[part{e.label, e.repo}])})
	}
	return out
}

// Defaults are the settings that the embedded model was trained with.
func Defaults() Settings {
	return Settings{
		Seed: 1, Rows: 100_000, WordRepos: 8, FeatureRepos: 4, FirstEpochs: 1,
		Options: Options{Epochs: 3, Rate: 1, Dropout: 0.4, Balance: 0.3, Average: 0.3, Blocks: 0.5, Windows: 0.3},
	}
}
