package segment

import "math"

// What is known of a piece of code besides its own characters, as factors of the odds that it is in a language (Bayes' rule).
const (
	// Nearly all tags of fences are right, and a given wrong tag is on a few in a hundred of the others.
	tagOdds = 1000
	// A tag is sometimes that of a related language: js for TypeScript, sh for a console session.
	relatedTagOdds = 50
	// Of pieces of train that isTable finds, half are CSV; the others are plainly what they are, such as assembly.
	tableOdds = 50
)

// maxPieces is the number of pieces of code that are looked at together.
const maxPieces = 64

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
