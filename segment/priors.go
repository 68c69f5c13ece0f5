package segment

import (
	"math"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
)

// What is known of a piece of code besides its own characters, as factors of
// the odds that it is in a language (Bayes' rule).
const (
	// Nearly all tags of fences are right, and a given wrong tag is on a few
	// in a hundred of the others.
	tagOdds = 1000
	// A tag is sometimes that of a related language: js for TypeScript, sh for
	// a console session.
	relatedTagOdds = 50
	// Of pieces of train that isTable finds, half are CSV; the others are plainly
	// what they are, such as assembly.
	tableOdds = 50
	// Other code of the same message is likely to be in the same language. On
	// the code blocks of documents of repositories held out of the corpus's
	// train split, this value gives the best probabilities: untagged, 73.2 %
	// are named right instead of 70.3 %.
	neighbourOdds = 10
)

// maxPieces is the number of pieces of code that are looked at together.
const maxPieces = 64

// priors gathers the probabilities of the languages of the pieces of code in a
// message. What the other pieces say is the prior of each.
type priors struct {
	languages int
	rows      []float32 // for each piece the logarithms of its languages' probabilities, which need not add up to one
	sum       []float32 // of the rows
}

func (p *priors) reset(languages int) {
	p.languages = languages
	p.rows = p.rows[:0]
	if len(p.sum) != languages {
		p.sum = make([]float32, languages)
	}
	clear(p.sum)
}

// pieces is the number of pieces that were added.
func (p *priors) pieces() int { return len(p.rows) / p.languages }

// piece returns what was added of piece k.
func (p *priors) piece(k int) []float32 { return p.rows[k*p.languages : (k+1)*p.languages] }

// settle turns the logarithms of all pieces into probabilities. It must be
// called once between add and posterior.
func (p *priors) settle() {
	for k := range p.pieces() {
		row := p.piece(k)
		langid.Softmax(row)
		for i, v := range row {
			p.sum[i] += v
		}
	}
}

// posterior returns the probabilities of the languages of piece k, given those
// of the others. It may be called once for each piece.
func (p *priors) posterior(k int) []float32 {
	row := p.piece(k)
	others := float32(p.pieces() - 1)
	if others == 0 {
		return row
	}
	total := float32(0)
	for i, v := range row {
		// What the other pieces are on average; rounding must not make it negative.
		mean := max(p.sum[i]-v, 0) / others
		row[i] = v * (1 + neighbourOdds*mean)
		total += row[i]
	}
	// sum keeps what was added, so row can be changed here.
	for i := range row {
		row[i] /= total
	}
	return row
}

// weighTable adds what it says that the code has the form of a table.
func (s *Segmenter) weighTable(scores []float32) {
	csv := lookUpTag("csv")
	for i, language := range s.byScore {
		if language == csv {
			scores[i] += float32(math.Log(tableOdds))
		}
	}
}

// weighTag adds what the tag of a fence says to the scores.
func (s *Segmenter) weighTag(scores []float32, tag Language) {
	if tag == UnknownLanguage {
		return
	}
	family := tag.Family()
	for i, language := range s.byScore {
		switch {
		case language == tag:
			scores[i] += float32(math.Log(tagOdds))
		case language.Family() == family:
			scores[i] += float32(math.Log(relatedTagOdds))
		}
	}
}
