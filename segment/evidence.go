package segment

import "math"

// What is known of a piece of code beside its own characters, as factors of
// the odds that it is in a language (Bayes' rule).
const (
	// Nearly all fences are tagged with what is in them. Of code whose tag is
	// wrong a few in a hundred have any given tag.
	tagOdds = 1000
	// A tag is sometimes that of a close relative: js for TypeScript, sh for
	// a console session.
	relatedTagOdds = 50
	// Other code of the same message is likely to be in the same language. On
	// the code blocks of documents of repositories held out of the corpus's
	// train split, this value gives the best probabilities: untagged, 73.2 %
	// are named right instead of 70.3 %.
	neighbourOdds = 10
)

// maxEvidence is the number of pieces of code that are looked at together.
const maxEvidence = 64

// evidence gathers the probabilities of the languages of the pieces of code
// in a message, so that each can be seen in the light of the others.
type evidence struct {
	languages int
	rows      []float32 // for each piece the probabilities of all languages
	sum       []float32 // of the rows
}

func (e *evidence) reset(languages int) {
	e.languages = languages
	e.rows = e.rows[:0]
	if len(e.sum) != languages {
		e.sum = make([]float32, languages)
	}
	clear(e.sum)
}

func (e *evidence) full() bool { return len(e.rows) >= maxEvidence*e.languages }

// add adds a piece of code by the logarithms of its languages' probabilities,
// which need not add up to one.
func (e *evidence) add(scores []float32) {
	n := len(e.rows)
	e.rows = append(e.rows, scores...)
	row := e.rows[n:]
	probabilities(row)
	for i, p := range row {
		e.sum[i] += p
	}
}

// posterior returns the probabilities of the languages of piece k in the
// light of the others.
func (e *evidence) posterior(k int) []float32 {
	row := e.rows[k*e.languages : (k+1)*e.languages]
	others := float32(len(e.rows)/e.languages - 1)
	if others == 0 {
		return row
	}
	total := float32(0)
	for i, p := range row {
		// What the other pieces are on average; rounding must not make it negative.
		mean := max(e.sum[i]-p, 0) / others
		row[i] = p * (1 + neighbourOdds*mean)
		total += row[i]
	}
	// The others keep the sum of what was added, so row can be changed here.
	for i := range row {
		row[i] /= total
	}
	return row
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

// probabilities turns logarithms of probabilities, up to a common summand,
// into probabilities.
func probabilities(scores []float32) {
	most := scores[0]
	for _, v := range scores {
		most = max(most, v)
	}
	total := float32(0)
	for i, v := range scores {
		scores[i] = float32(math.Exp(float64(v - most)))
		total += scores[i]
	}
	for i := range scores {
		scores[i] /= total
	}
}
