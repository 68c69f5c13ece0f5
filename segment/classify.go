package segment

import (
	"context"
	"iter"
	"slices"
	"unsafe"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
)

// Guess is a language with the probability that it is the right one.
type Guess struct {
	Language   Language
	Confidence float64 // from 0 to 1
}

// Classification names the language of a piece of code. The zero value says that nothing is known.
type Classification struct {
	Guess
	// Alternatives are the next best guesses, best first.
	Alternatives [3]Guess
}

// LeastConfidence is the confidence from which on a language is worth naming: of single lines of code seven in eight get one, and
// most of the answers that it leaves out are wrong.
const LeastConfidence = 0.3

// AtLeast returns the language if the confidence is at least minimum, and UnknownLanguage otherwise.
func (c Classification) AtLeast(minimum float64) Language {
	if c.Confidence < minimum {
		return UnknownLanguage
	}
	return c.Language
}

// Classified is a segment with the language of its code. The classification of text is zero.
type Classified struct {
	Segment
	Classification
}

// Unclassified are segments whose languages nobody asked for.
func Unclassified(segments []Segment) []Classified {
	classified := make([]Classified, len(segments))
	for i, s := range segments {
		classified[i].Segment = s
	}
	return classified
}

// Classify names the language of code from the code alone. Of long code it reads the beginning, the middle and the end.
func (s *Segmenter) Classify(code string) Classification {
	c := s.classifiers.Get().(*classifier)
	defer s.classifiers.Put(c)
	c.scores = s.languages.Scores(&c.scratch, code, c.scores)
	langid.Softmax(c.scores)
	return s.best(c.scores)
}

// SegmentClassified splits text, as [Segmenter.Segment] does, and names the languages of the code. The tag of a fence, the other
// code of the message, and the languages, tools and files that its words name are evidence too. Of code whose tag names a
// language without a label, such as sparql, the classification is zero.
func (s *Segmenter) SegmentClassified(text string) []Classified {
	segments, _ := s.AppendClassified(context.Background(), nil, text)
	return segments
}

// AppendClassified appends the segments of text to dst, as [Segmenter.AppendSegments] does, with the languages of the code among
// them, as [Segmenter.SegmentClassified] names them.
func (s *Segmenter) AppendClassified(ctx context.Context, dst []Classified, text string) ([]Classified, error) {
	c := s.classifiers.Get().(*classifier)
	defer s.classifiers.Put(c)
	c.unspent = maxPieces * pieceBytes
	return s.appendClassified(ctx, c, dst, text)
}

// ClassifyEach calls visit for each of the texts of a request, with what [Segmenter.AppendClassified] makes of it, valid until
// visit returns. Of many small pieces of code it reads no more than if all were in one text.
func (s *Segmenter) ClassifyEach(ctx context.Context, texts iter.Seq[string], visit func(text string, parts []Classified)) error {
	c := s.classifiers.Get().(*classifier)
	defer s.classifiers.Put(c)
	c.unspent = maxPieces * pieceBytes
	var parts []Classified
	for text := range texts {
		var err error
		if parts, err = s.appendClassified(ctx, c, parts[:0], text); err != nil {
			return err
		}
		visit(text, parts)
	}
	return nil
}

func (s *Segmenter) appendClassified(ctx context.Context, c *classifier, dst []Classified, text string) ([]Classified, error) {
	segments, err := s.AppendSegments(ctx, c.segments[:0], text)
	if err != nil {
		c.segments = nil // it may refer to text
		return dst, err
	}
	c.segments = segments
	first := len(dst)
	for _, segment := range segments {
		dst = append(dst, Classified{Segment: segment})
	}
	err = s.classifyMessage(ctx, c, dst[first:], text)
	c.reset()
	if err != nil {
		clear(dst[first:])
		return dst[:first], err
	}
	return dst, nil
}

// classifier is the working memory of one call.
type classifier struct {
	scratch  langid.Scratch
	scores   []float32
	content  []byte
	segments []Segment
	message  mention.Rows
	words    mention.Message
	unspent  int // bytes that no piece of code was read for
}

// pieceBytes bounds the work for each byte of messages: of their pieces of code behind the first maxPieces, one is read for so
// many bytes. What is known of the others is their tag, and what the rest of the message says.
const pieceBytes = 96

// reset drops the references to the caller's text, and memory of a size that few messages need.
func (c *classifier) reset() {
	clear(c.segments)
	if cap(c.segments) > 1<<14 {
		c.segments = nil
	}
	if cap(c.content) > 1<<20 {
		c.content = nil
	}
}

// classifyMessage names the languages of the code in segments.
func (s *Segmenter) classifyMessage(ctx context.Context, c *classifier, segments []Classified, text string) error {
	if !slices.ContainsFunc(segments, func(c Classified) bool { return c.Kind == Code }) {
		c.unspent += len(text)
		return nil
	}
	for len(segments) > 0 {
		c.message.Reset(len(s.byScore))
		c.words.Reset()
		n := 0
		for ; n < len(segments) && c.message.Len() < maxPieces; n++ {
			segment := segments[n].Segment
			raw := text[segment.Start:segment.End]
			c.unspent += len(raw)
			if segment.Kind == Text {
				c.words.Text(s.mentions, raw, segment.Start)
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			c.words.Code(s.mentions, raw, segment.Start)
			if tag, _ := namedIn(segment.Info); tag == otherLanguage {
				c.knowNothing(len(s.byScore))
			} else {
				s.readCode(c, segment, text)
				s.weighTag(c.scores, tag)
				if tag == UnknownLanguage && isTable(raw) {
					s.weighTable(c.scores)
				}
			}
			c.message.Add(c.scores)
		}
		c.words.Finish()
		c.message.Settle(s.mentions, &c.words)
		for i, k := 0, 0; i < n; i++ {
			if segments[i].Kind == Code {
				if tag, _ := namedIn(segments[i].Info); tag != otherLanguage {
					segments[i].Classification = s.best(c.message.Posterior(s.mentions, &c.words, k))
				}
				k++
			}
		}
		segments = segments[n:]
	}
	return nil
}

// knowNothing sets the scores of a piece of code all alike.
func (c *classifier) knowNothing(languages int) {
	c.scores = slices.Grow(c.scores[:0], languages)[:languages]
	clear(c.scores)
}

// readCode sets the scores of a piece of code: all alike if it is not to be read.
func (s *Segmenter) readCode(c *classifier, segment Segment, text string) {
	if c.unspent < pieceBytes {
		c.knowNothing(len(s.byScore))
		return
	}
	c.unspent -= pieceBytes
	c.scores = s.languages.Scores(&c.scratch, c.contentOf(segment, text), c.scores)
}

// contentOf returns the content of a segment, which is valid until the next call.
func (c *classifier) contentOf(segment Segment, text string) string {
	c.content = segment.AppendContent(c.content[:0], text)
	return unsafe.String(unsafe.SliceData(c.content), len(c.content))
}

// best returns the best guesses among the probabilities p. That of being in no language with a label is what the others lack.
func (s *Segmenter) best(p []float32) (c Classification) {
	var top [1 + len(c.Alternatives)]Guess
	for i, probability := range p {
		g := Guess{Language: s.byScore[i], Confidence: float64(probability)}
		if g.Confidence <= top[len(top)-1].Confidence || g.Language == UnknownLanguage {
			continue
		}
		for j := range top {
			if g.Confidence > top[j].Confidence {
				g, top[j] = top[j], g
			}
		}
	}
	c.Guess = top[0]
	copy(c.Alternatives[:], top[1:])
	return c
}
