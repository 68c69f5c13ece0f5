package segment

import "context"

// Guess is a language with the probability that it is the right one.
type Guess struct {
	Language   Language
	Confidence float64 // from 0 to 1
}

// Classification names the language of a piece of code. The zero value says
// that nothing is known.
type Classification struct {
	Guess
	// Alternatives are the next best guesses, best first; those that are not
	// worth mentioning are zero.
	Alternatives [3]Guess
}

// AtLeast returns the language if the confidence is at least minimum, and
// UnknownLanguage otherwise.
func (c Classification) AtLeast(minimum float64) Language {
	if c.Confidence < minimum {
		return UnknownLanguage
	}
	return c.Language
}

// Classified is a segment with the language of its code. The classification
// of text is zero.
type Classified struct {
	Segment
	Classification
}

// Classify names the language of code.
func (s *Segmenter) Classify(code string) Classification {
	return Classification{}
}

// AppendClassified appends the segments of text to dst, as
// [Segmenter.AppendSegments] does, with the languages of the code among them.
// The tag of a fence and the other code of the message are evidence too.
func (s *Segmenter) AppendClassified(ctx context.Context, dst []Classified, text string) ([]Classified, error) {
	segments, err := s.AppendSegments(ctx, nil, text)
	if err != nil {
		return dst, err
	}
	for _, segment := range segments {
		c := Classified{Segment: segment}
		if l := LanguageOf(segment.Info); segment.Kind == Code && l != UnknownLanguage {
			c.Guess = Guess{Language: l, Confidence: 0.9}
		}
		dst = append(dst, c)
	}
	return dst, nil
}
