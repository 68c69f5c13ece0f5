// Package linetag labels the lines of a message as text or code where no markup tells. A line's tokens, their shapes and
// the line's place in the layout are hashed into rows of an embedding table whose sum describes the line; two
// bidirectional layers of simple recurrent units (Lei et al., "Simple Recurrent Units for Highly Parallelizable
// Recurrence", EMNLP 2018) bring in the lines around it; a linear-chain conditional random field (Lafferty et al., ICML
// 2001) with transition scores from the same layers picks the best sequence of labels. The scores are the means of those
// of a few such networks, trained apart. Work and memory are linear in the number of lines, and bounded for each line.
package linetag

import "slices"

// Line is the place of a line in the text: text[Start:End], without its line ending.
type Line struct{ Start, End int32 }

// Hint is what markup says of a line.
type Hint uint8

// The hints.
const (
	Free     Hint = iota // nothing: the model decides
	Text                 // text by markup; returned as such, and context for the lines around it
	Code                 // code by markup; returned as such, and context for the lines around it
	Indented             // in an indented code block by the rules of CommonMark: evidence, not a verdict
)

// Scratch is the working memory of a call of Model.Label; it can be reused, by one call at a time. It keeps a few
// megabytes, and 17 bytes for every line of the longest text.
type Scratch struct {
	// Pause, if it is set, is called between the windows of a long text: every few milliseconds.
	Pause func()

	features Features
	network  activations
	index    []int32 // of the lines with content
	scores   []Score // of the lines with content
	back     []uint8
}

// Long texts are scored in windows, with lines of context on either side: more than the recurrent layers reach.
const (
	windowLines   = 1024
	windowContext = 128
)

// Label appends the label of every line to dst, true for code, and returns the extended slice. hints is nil or as long
// as ls. A blank line between two lines of code is code, any other blank line is text. After the first calls no memory
// is allocated. Any bytes are accepted.
func (m *Model) Label(s *Scratch, text string, ls []Line, hints []Hint, dst []bool) []bool {
	begin := len(dst)
	for range ls {
		dst = append(dst, false)
	}
	marked := slices.Contains(hints, Code)
	s.index, s.scores = s.index[:0], s.scores[:0]
	for at := 0; at < len(ls); at += windowLines {
		from, to := max(at-windowContext, 0), min(at+windowLines+windowContext, len(ls))
		if s.Pause != nil && at > 0 {
			s.Pause()
		}
		var part []Hint
		if hints != nil {
			part = hints[from:to]
		}
		f := &s.features
		f.extract(text, ls[from:to], part, marked)
		for i, score := range m.score(&s.network, f) {
			if line := from + int(f.Index[i]); line >= at && line < at+windowLines {
				s.index = append(s.index, int32(line))
				s.scores = append(s.scores, score)
			}
		}
	}
	if len(s.index) > 0 {
		s.decode(dst[begin:])
	}
	return dst
}

// Scores are the scores of the lines with content, in order, of the last call of [Model.Label]; they are valid until the
// next. The log odds of a text of one line are its Code.
func (s *Scratch) Scores() []Score { return s.scores }

// decode finds the best sequence of labels (Viterbi) and writes it to out.
func (s *Scratch) decode(out []bool) {
	n := len(s.scores)
	if cap(s.back) < n {
		s.back = make([]uint8, n+n/2)
	}
	back := s.back[:n]
	text, code := float32(0), s.scores[0].Code
	for i := 1; i < n; i++ {
		sc := &s.scores[i]
		var from uint8
		toText, toCode := text, code
		if leave := code + sc.Leave; leave > text {
			toText = leave
			from = 1
		}
		if enter := text + sc.Enter; enter >= code {
			toCode = enter
		} else {
			from |= 2
		}
		back[i] = from
		// Only the difference matters: the sums stay small however long the document is.
		text, code = 0, toCode+sc.Code-toText
	}
	label := code > text
	codeAt := -1 // the line below, if it is code
	for i := n - 1; i >= 0; i-- {
		at := int(s.index[i])
		if label {
			out[at] = true
			for j := at + 1; j < codeAt; j++ {
				out[j] = true
			}
			codeAt = at
			label = back[i]&2 != 0
		} else {
			codeAt = -1
			label = back[i]&1 != 0
		}
	}
}
